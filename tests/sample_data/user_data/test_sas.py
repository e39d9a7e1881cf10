"""Test transport files of SAS: numbers, texts, dates, missing values, several tables and damage."""

import contextlib
import struct

import numpy as np
import pandas
import pytest

from sample_data.user_data import make_data_set, propose, read, summarise
from tests.refusals import refused
from treecore.errors import DataError

N_ROWS = 60


def card(text):
    return text.ljust(80).encode()


def ibm(number):
    """Return a number in the floating-point format of transport files, 8 bytes; "." is the missing value."""
    if np.isnan(number):
        return b"." + bytes(7)
    if not number:
        return bytes(8)
    fraction, exponent = np.frexp(abs(number))
    shift = -exponent % 4
    sixteens = (exponent + shift) // 4
    digits = int(fraction * 2.0 ** (56 - shift))
    return bytes([(128 if number < 0 else 0) | int(sixteens) + 64]) + digits.to_bytes(7, "big")


def transport(columns, formats=None, width=12):
    """Return the bytes of a file with a table; columns : {name: list of numbers or texts}; formats : {name: format}."""
    formats, stamp = formats or {}, "16FEB11:10:07:55"
    lines = [
        card("HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!" + "0" * 30),
        card(f"{'SAS':8}{'SAS':8}{'SASLIB':8}{'6.06':8}{'':32}{stamp}"),
        card(stamp),
        card("HEADER RECORD*******MEMBER  HEADER RECORD!!!!!!!000000000000000001600000000140"),
        card("HEADER RECORD*******DSCRPTR HEADER RECORD!!!!!!!" + "0" * 30),
        card(f"{'SAS':8}{'T':8}{'SASDATA':8}{'6.06':8}{'':32}{stamp}"),
        card(stamp),
        card("HEADER RECORD*******NAMESTR HEADER RECORD!!!!!!!" + f"{len(columns):010d}".ljust(30, "0")),
    ]
    fields, place = b"", 0
    for number, (name, cells) in enumerate(columns.items(), 1):
        is_text = isinstance(cells[0], str)
        length = width if is_text else 8
        form = formats.get(name, "").ljust(8).encode()
        fields += struct.pack(">hhhh8s40s8shhh2s8shhl52s", 2 if is_text else 1, 0, length, number,
                              name.ljust(8).encode(), b" " * 40, form, 0, 0, 0, b"", b" " * 8, 0, 0, place,
                              b"")  # fmt: skip
        place += length
    rows = b"".join(
        cell.encode().ljust(width) if isinstance(cell, str) else ibm(float(cell))
        for row in zip(*columns.values(), strict=True)
        for cell in row
    )
    fields += b" " * (-len(fields) % 80)
    observations = card("HEADER RECORD*******OBS     HEADER RECORD!!!!!!!" + "0" * 30)
    return b"".join(lines) + fields + observations + rows + b" " * (-len(rows) % 80)


def visits():
    rng = np.random.default_rng(0)
    age = rng.integers(18, 80, N_ROWS).astype(float)
    age[3] = np.nan
    return {"AGE": age.tolist(), "DOSE": rng.normal(0, 9, N_ROWS).round(3).tolist(),
            "ARM": rng.choice(["über", "low"], N_ROWS).tolist(), "SEEN": rng.integers(20_000, 21_000, N_ROWS).tolist(),
            "AT": (rng.integers(20_000, 21_000, N_ROWS) * 86400 + 60).tolist()}  # fmt: skip


def test_a_table_has_its_numbers_texts_and_dates():
    columns = visits()
    table = read(transport(columns, {"SEEN": "DATE", "AT": "DATETIME"}), "visits.xpt")
    assert (table.format, table.n_rows) == ("SAS", N_ROWS)
    np.testing.assert_allclose(table.frame["AGE"], columns["AGE"])
    np.testing.assert_allclose(table.frame["DOSE"], columns["DOSE"], rtol=1e-6)
    assert table.frame["ARM"].tolist() == columns["ARM"]
    days = np.datetime64("1960-01-01") + np.array(columns["SEEN"])
    assert table.frame["SEEN"].tolist() == pandas.Series(days).astype("datetime64[us]").tolist()
    assert table.frame["AT"].dt.second.eq(0).all()
    assert table.frame["AT"].dt.minute.eq(1).all()
    recipe = propose(table, summarise(table), "ARM")
    assert recipe.kinds["SEEN"] == "date"
    assert make_data_set(table, recipe).n_rows == N_ROWS


@pytest.mark.parametrize("n_columns", [1, 4, 30])
def test_any_length_of_a_row_is_read(n_columns):
    columns = {f"X{k}": np.arange(k, N_ROWS + k).tolist() for k in range(n_columns)} | {"Y": ["a", "b"] * (N_ROWS // 2)}
    table = read(transport(columns), "t.xpt")
    assert table.frame["Y"].tolist() == columns["Y"]
    assert table.frame[f"X{n_columns - 1}"].tolist() == columns[f"X{n_columns - 1}"]


def test_empty_texts_are_missing():
    table = read(transport({"ARM": ["a", "", "b"] * 20, "X": list(range(60))}), "t.xpt")
    assert table.frame["ARM"].isna().sum() == 20


def test_several_tables_are_refused():
    with refused(DataError, "contains 2 tables. In SAS, export one table to a file of its own"):
        read(transport(visits()) + transport(visits()), "t.xpt")


def test_other_files_of_sas_and_spss_are_refused_with_their_program():
    with refused(DataError, "is a SAS file. In SAS, save the table as CSV with: proc export"):
        read(b"\0" * 12 + b"\xc2\xea\x81\x60" + b"\0" * 200, "t.sas7bdat")
    with refused(DataError, "is an SPSS file. In SPSS, save the table as CSV"):
        read(b"$FL2@(#) SPSS DATA FILE" + b"\0" * 200, "t.sav")


def test_damaged_files_are_refused():
    content, rng = transport(visits()), np.random.default_rng(0)
    with refused(DataError, "is damaged or is not a supported transport file of SAS"):
        read(content[:500], "t.xpt")
    for _ in range(60):
        spoiled = bytearray(content)
        for place in rng.integers(80, len(content), 5):
            spoiled[place] = rng.integers(256)
        with contextlib.suppress(DataError):
            read(bytes(spoiled[: rng.integers(100, len(content) + 1)]), "t.xpt")
