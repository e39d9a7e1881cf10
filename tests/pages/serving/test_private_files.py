import os
import stat

import pytest

from pages.serving import private_files


def modes(*paths):
    return [oct(stat.S_IMODE(path.stat().st_mode)) for path in paths]


@pytest.fixture(autouse=True)
def open_umask():
    old = os.umask(0)
    yield
    os.umask(old)


def test_everything_that_is_made_is_private(tmp_path):
    path = tmp_path / "a" / "b" / "file"
    private_files.write(path, b"x")
    private_files.touch(path.with_name("mark"))
    assert modes(tmp_path / "a", path.parent, path, path.with_name("mark")) == ["0o700", "0o700", "0o600", "0o600"]
    assert [one.name for one in sorted(path.parent.iterdir())] == ["file", "mark"]


def test_a_folder_of_ours_is_closed_and_those_above_stay(tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "ours").mkdir(mode=0o777)
    private_files.folder(tmp_path / "ours")
    assert modes(tmp_path, tmp_path / "ours") == ["0o755", "0o700"]


def test_half_a_file_is_never_left(tmp_path, monkeypatch):
    private_files.write(tmp_path / "file", b"before")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(private_files.os, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        private_files.write(tmp_path / "file", b"after")
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"before"
