"""Test the lock file, and that the licences of all packages that it installs are listed and permit the MIT licence."""

import re
from pathlib import Path

from docs.site import licences

ROOT = Path(__file__).resolve().parents[2]
PERMISSIVE = re.compile(r"BSD|MIT|Apache|MPL|PSF|0BSD|Zlib|CC0")


def pins(name):
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))


def test_the_lock_has_the_required_versions_and_hashes():
    required = pins("requirements.txt") | pins("requirements-serve.txt") | pins("requirements-liblinear.txt")
    locked = licences.locked()
    assert {name: locked.get(name.lower()) for name in required} == required
    entries = re.split(r"\n(?=[\w.-]+==)", licences.LOCK.read_text(encoding="utf-8"))[1:]
    assert all("--hash=sha256:" in entry for entry in entries)


def test_every_package_has_a_permissive_licence_on_the_page():
    listed = licences.listed()
    assert listed.keys() == licences.locked().keys()
    assert all(PERMISSIVE.search(licence) for licence in listed.values())
    assert not [name for name, licence in listed.items() if "GPL" in licence]
