"""Convert settings to the URL parameters of links, and back."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from pages.jobs.setting import Setting, settings_of
from pages.jobs.settings import ComparisonSettings, PathSettings
from treecore.declarations import Whole


@dataclass(frozen=True)
class SettingsText:
    """Convert the settings of one page that differ from `default` to URL parameters, and back.

    default : dataclass of settings; filter_texts : function of the settings and their texts that returns the texts to
    write, or None to write all.
    """

    default: Any
    filter_texts: Callable[[Any, dict[str, str]], dict[str, str]] | None = None

    @cached_property
    def readers(self) -> dict[str, Setting]:
        """Return {name in a link: Setting}."""
        return {one.link: one for one in settings_of(type(self.default)).values()}

    def read(self, query: Mapping[str, str]) -> Any:
        """Parse settings from URL parameters, ignoring unknown names and out-of-range values."""
        read = {one.name: one.kind.read(query[link]) for link, one in self.readers.items() if link in query}
        return replace(self.default, **{name: value for name, value in read.items() if value is not None})

    def invalid_names(self, query: Mapping[str, str]) -> list[str]:
        """Return the names of URL parameters with invalid values."""
        return [link for link, one in self.readers.items() if link in query and one.kind.read(query[link]) is None]

    def describe_allowed(self, name: str) -> str:
        """Return the allowed values of a setting in words.

        Returns "" if the name is unknown or the description would need several lines.
        """
        return self.readers[name].kind.allowed if name in self.readers else ""

    def write(self, settings: Any) -> dict[str, str]:
        """Return the URL parameters of the settings that differ from the defaults."""
        default, values = asdict(self.default), asdict(settings)
        texts = {
            link: _text(values[one.name]) for link, one in self.readers.items() if values[one.name] != default[one.name]
        }
        return texts if self.filter_texts is None else self.filter_texts(settings, texts)


def natural(text: str | None) -> int | None:
    """Return `text` as an integer if it has at most eight digits, else None."""
    return Whole().read(text)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, tuple):
        return "-".join(part if isinstance(part, str) else f"{part:g}" for part in value)
    return str(value)


PATH_TEXT = SettingsText(PathSettings())
COMPARISON_TEXT = SettingsText(ComparisonSettings())
