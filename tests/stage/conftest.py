"""Run the browser's model in plain Node, for tests in Python."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ANSWERS = Path(__file__).with_name("answers.js")


@pytest.fixture(scope="session")
def node():
    """Return the path of Node. Skip the test without it, except in CI."""
    path = shutil.which("node")
    if path is None:
        message = "no Node on this machine: these tests run the browser's model (Debian: apt-get install nodejs)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return path


@pytest.fixture(scope="session")
def ask(node, tmp_path_factory):
    """Return a function (question, payload or None, arguments) that returns the answer of tests/stage/questions.js."""
    folder = tmp_path_factory.mktemp("payloads")
    files = {}

    def ask(question, payload, *given):
        if payload is not None and payload not in files:
            files[payload] = folder / f"{len(files)}.bin"
            files[payload].write_bytes(payload)
        file = None if payload is None else str(files[payload])
        process.stdin.write(json.dumps({"payload": file, "question": question, "given": given}) + "\n")
        process.stdin.flush()
        reply = json.loads(process.stdout.readline())
        assert "error" not in reply, reply["error"]
        return reply["answer"]

    with subprocess.Popen([node, ANSWERS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield ask
