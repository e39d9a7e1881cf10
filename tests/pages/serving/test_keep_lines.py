import io
import stat
import time

from pages.serving import keep_lines
from tests.waiting import wait_until


def test_a_log_is_kept_over_restarts_and_rotated(tmp_path, monkeypatch):
    monkeypatch.setattr(keep_lines, "BYTES", 1500)
    path = tmp_path / "jobs" / "cluster.log"
    for run in range(2):
        keep_lines.keep_lines(io.BytesIO(b"".join(b"%d-%d \xff\n" % (run, k) for k in range(60))), path)
        wait_until(lambda run=run: path.is_file() and f"{run}-59" in path.read_text(encoding="utf-8"), 60)
    time.sleep(0.05)
    files = sorted(path.parent.iterdir())
    assert [one.name for one in files] == ["cluster.log", "cluster.log.1", "cluster.log.2"]
    assert all(one.stat().st_size <= 1500 for one in files)
    assert all(stat.S_IMODE(one.stat().st_mode) == 0o600 for one in files)
    lines = "".join(one.read_text(encoding="utf-8") for one in reversed(files)).splitlines()
    assert [line.split()[2] for line in lines] == [f"{run}-{k}" for run in range(2) for k in range(60)]


def test_without_a_writable_folder_only_lines_are_lost(tmp_path, capfd):
    (tmp_path / "file").touch()
    keep_lines.keep(stream := io.BytesIO(b"a\nb\n"), tmp_path / "file" / "cluster.log")
    assert stream.closed
    assert capfd.readouterr().err == ""
