"""Settings as the texts of an address, and back."""

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from pages.jobs.setting import declared
from pages.jobs.settings import ComparisonSettings, PathSettings
from treecore.declarations import Whole


@dataclass(frozen=True)
class SettingsText:
    """How the settings of one page are written: those that differ from `default`.

    default : a dataclass of settings; kept : function from the settings and their texts to the texts that are written,
    None for all.
    """

    default: Any
    kept: Any = None

    @cached_property
    def readers(self):
        """{name in a link: Setting}."""
        return {one.link: one for one in declared(type(self.default)).values()}

    def read(self, query):
        """Settings of a dict of texts; whatever is unknown or out of range is ignored."""
        read = {one.name: one.kind.read(query[link]) for link, one in self.readers.items() if link in query}
        return replace(self.default, **{name: value for name, value in read.items() if value is not None})

    def misread(self, query):
        """Names of the texts that are unknown or out of range."""
        return [link for link, one in self.readers.items() if link in query and one.kind.read(query[link]) is None]

    def allowed(self, name):
        """What is possible for a name, in words; "" where that takes more than a line, or the name is unknown."""
        return self.readers[name].kind.allowed if name in self.readers else ""

    def write(self, settings):
        """Dict of texts: the settings that differ from the defaults."""
        default, values = asdict(self.default), asdict(settings)
        texts = {
            link: _text(values[one.name]) for link, one in self.readers.items() if values[one.name] != default[one.name]
        }
        return texts if self.kept is None else self.kept(settings, texts)


def natural(text):
    """int of up to eight digits, else None."""
    return Whole().read(text)


def _text(value):
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, tuple):
        return "-".join(part if isinstance(part, str) else f"{part:g}" for part in value)
    return str(value)


PATH_TEXT = SettingsText(PathSettings())
COMPARISON_TEXT = SettingsText(ComparisonSettings())
