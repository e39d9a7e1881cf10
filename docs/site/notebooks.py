"""Run the notebooks of the project and store them with their outputs: ``python -m docs.site.notebooks``.

The outputs are text, tables, and an image of each stage, so that the site can show them without Python.
"""

import base64
import json
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = {"notebook": ROOT / "docs/tutorials/notebook.ipynb", "beside_cart": ROOT / "benchmarks/beside_cart.ipynb"}
LONGEST = 120  # time limit for a cell in seconds
WIDGET = "application/vnd.jupyter.widget-view+json"


def run(path, last=""):
    """Run each cell of a notebook in a new kernel, in its folder, and return the notebook as a dict.

    last : code of an additional cell at the end. Raises nbclient's CellExecutionError if a cell fails.
    """
    import nbformat  # the site reads notebooks without this package
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    notebook.cells += [nbformat.v4.new_code_cell(last)] if last else []
    client = NotebookClient(
        notebook, timeout=LONGEST, resources={"metadata": {"path": str(path.parent)}}, record_timing=False,
        store_widget_state=False,
    )  # fmt: skip
    client.execute(env=os.environ | {"PYTHONPATH": str(ROOT)})
    for cell in notebook.cells:
        if cell.cell_type == "code":  # a widget does not survive its kernel
            cell.outputs = [one for one in cell.outputs if WIDGET not in one.get("data", {})]
    del notebook.cells[len(notebook.cells) - bool(last) :]
    return notebook


def notebook_page(path):
    """Convert a stored notebook to a page. Return (Markdown, {file name: image bytes})."""
    parts, pictures = [], {}
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for place, output in enumerate(cell["outputs"]):
            shown = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
            if "image/png" in shown:
                name = f"{path.stem}_{number}_{place}.png"
                pictures[name] = base64.b64decode(shown["image/png"])
                parts.append(f"![What this code draws](pictures/{name})")
            elif "text/html" in shown:
                plain = shown["text/html"].replace(' border="1" class="dataframe"', "")  # the site styles tables
                lines = (line.strip() for line in plain.splitlines())
                parts.append("\n".join(line for line in lines if line))  # an empty line would end the HTML block
            else:
                parts.append("```text\n" + (shown.get("text/plain") or "".join(output["text"])).rstrip() + "\n```")
    return "\n\n".join(parts) + "\n", pictures


def main():
    """Run both notebooks and store them with their outputs."""
    import nbformat

    for path in NOTEBOOKS.values():
        nbformat.write(run(path), path)


if __name__ == "__main__":
    main()
