"""Store finished results, one line of JSON each, so that a stopped run can continue."""

import hashlib
import json

from benchmarks.common import ENGINE, RESULTS, engine_stamp

FOLDER = RESULTS / "reproduce"
PLANS = engine_stamp(RESULTS.parent)  # hash of the benchmarks' own sources


class Store:
    """File with the records for one data set and some settings (text).

    Other settings or another version of the engine use another file.
    """

    def __init__(self, name, settings):
        digest = hashlib.sha256(f"{ENGINE}\n{PLANS}\n{settings}".encode()).hexdigest()[:10]
        self.path = FOLDER / f"{name}-{digest}.jsonl"

    def records(self):
        """Return the list of stored records, without an incomplete last line."""
        if not self.path.is_file():
            return []
        lines = self.path.read_text(encoding="utf-8").split("\n")
        return [json.loads(line) for line in lines[:-1] if line]

    def append(self, record):
        """Write one record immediately."""
        FOLDER.mkdir(parents=True, exist_ok=True)
        text = json.dumps(record, default=lambda value: value.tolist())
        kept = self.path.read_bytes() if self.path.is_file() else b""
        if kept and not kept.endswith(b"\n"):  # the last line is incomplete
            self.path.write_bytes(kept[: kept.rfind(b"\n") + 1])
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text + "\n")

    def once(self, key, work):
        """Return the stored result under `key`, or run ``work()`` and store its JSON-compatible result."""
        for record in self.records():
            if record["key"] == key:
                return record["value"]
        self.append({"key": key, "value": work()})
        return self.once(key, work)
