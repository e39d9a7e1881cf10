"""Run functions of the browser in Node, without a browser, to compare them with Python's."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def in_node(code, value):
    """Return the JSON result of JavaScript code run by Node.

    code : body of an async function with the parameters `value` and `load`. `load` imports a module below viz/stage.
    The test is skipped if Node is missing, except in CI.
    """
    if shutil.which("node") is None:
        if os.environ.get("CI"):
            pytest.fail("Node is missing: the browser side cannot be compared with Python.")
        pytest.skip("needs Node")
    script = (
        'import { readFileSync } from "node:fs";'
        f"const load = (name) => import({json.dumps((ROOT / 'viz' / 'stage').as_uri())} + '/' + name);"
        f"const run = async (value) => {{ {code} }};"
        'const found = await run(JSON.parse(readFileSync(0, "utf-8")));'
        "process.stdout.write(JSON.stringify(found));"
    )
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", script],
        input=json.dumps(value), capture_output=True, encoding="utf-8", timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
