"""Write real files of every supported format, with the programs that people use."""

import io
import zipfile

import numpy as np
import pandas
from PIL import Image

N_ROWS = 60


def flowers() -> pandas.DataFrame:
    """Return a table with every kind of column: numbers, integers, categories, dates, missing values, a target."""
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 3, N_ROWS)
    frame = pandas.DataFrame(
        {
            "length": np.round(kind + rng.normal(0, 0.8, N_ROWS), 2),
            "petals": rng.integers(3, 40, N_ROWS),
            "colour": rng.choice(["red", "blue", "white, pale"], N_ROWS),
            "seen": pandas.Timestamp("2020-01-01") + pandas.to_timedelta(rng.integers(0, 900, N_ROWS), unit="D"),
            "species": np.array(["iris", "rose", "Wald-Veilchen"])[kind],
        }
    )
    frame.loc[3, "length"] = np.nan
    frame.loc[5, "colour"] = None
    return frame


def csv_bytes(frame=None, encoding="utf-8", **choices) -> bytes:
    return (flowers() if frame is None else frame).to_csv(index=False, **choices).encode(encoding)


def excel_bytes(sheets=None) -> bytes:
    out = io.BytesIO()
    with pandas.ExcelWriter(out, engine="openpyxl") as writer:
        for title, frame in (sheets or {"Data": flowers()}).items():
            frame.to_excel(writer, sheet_name=title, index=False)
    return out.getvalue()


def arrow_bytes(frame=None) -> bytes:
    out = io.BytesIO()
    (flowers() if frame is None else frame).to_feather(out)
    return out.getvalue()


def parquet_bytes(frame=None) -> bytes:
    out = io.BytesIO()
    (flowers() if frame is None else frame).to_parquet(out, index=False)
    return out.getvalue()


def stata_bytes(frame=None, **choices) -> bytes:
    out = io.BytesIO()
    frame = flowers() if frame is None else frame
    texts = {name: frame[name].fillna("").astype(object) for name in frame if frame[name].dtype.kind not in "iufM"}
    dates = {name: "tc" for name in frame if frame[name].dtype.kind == "M"}
    frame.assign(**texts).to_stata(out, write_index=False, convert_dates=dates, **choices)
    return out.getvalue()


def arff_bytes() -> bytes:
    frame = flowers()
    lines = [
        "% flowers",
        "@RELATION 'my flowers'",
        "@ATTRIBUTE length REAL",
        "@ATTRIBUTE petals integer",
        "@attribute colour {red, blue, 'white, pale'}",
        '@attribute seen date "yyyy-MM-dd"',
        "@attribute species {iris, rose, Wald-Veilchen}",
        "",
        "@DATA",
    ]
    for row in frame.itertuples():
        colour = "?" if row.colour is np.nan or row.colour is None else f"'{row.colour}'"
        length = "?" if np.isnan(row.length) else row.length
        lines.append(f"{length},{row.petals},{colour},{row.seen:%Y-%m-%d},{row.species}")
    return "\n".join(lines).encode("utf-8")


def json_lines_bytes() -> bytes:
    frame = flowers()
    return frame.assign(seen=frame["seen"].dt.strftime("%Y-%m-%d")).to_json(orient="records", lines=True).encode()


def npz_bytes(**arrays) -> bytes:
    out = io.BytesIO()
    if not arrays:
        arrays = {"X": np.arange(40.0).reshape(20, 2), "y": np.arange(20) % 2, "class_names": np.array(["even", "odd"])}
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def picture(value, size=(6, 4), mode="L", kind="PNG") -> bytes:
    out = io.BytesIO()
    Image.new(mode, size, value).save(out, kind)
    return out.getvalue()


def zip_bytes(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def image_zip_bytes() -> bytes:
    return zip_bytes({f"pets/{kind}/{k}.png": picture(40 * k) for kind in ("cat", "dog") for k in range(3)})


FILES = {
    "flowers.csv": csv_bytes,
    "flowers.tsv": lambda: csv_bytes(sep="\t"),
    "flowers.xlsx": excel_bytes,
    "flowers.parquet": parquet_bytes,
    "flowers.dta": stata_bytes,
    "flowers.feather": arrow_bytes,
    "flowers.arff": arff_bytes,
    "flowers.jsonl": json_lines_bytes,
    "flowers.npz": npz_bytes,
    "pets.zip": image_zip_bytes,
}
