"""One file to save."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pages.ui.shell.save_button import save_button
from treecore.artifact import Artifact


class SavedFile(NamedTuple):
    """One file to save, with its button.

    label : label of the button, unique on a page; make : function that returns str or bytes, called when the visitor
    requests the file; name, mime : name and media type of the file; icon, help : icon and help text of the button, or
    None.
    """

    label: str
    make: Callable
    name: str
    mime: str
    icon: str | None = None
    help: str | None = None

    @classmethod
    def of(
        cls, artifact: Artifact, known: Callable[[], dict[str, Any]], stem: str, icon: str | None = None
    ) -> SavedFile:
        """Return the file of an `Artifact`.

        known : function that returns the inputs of the artifact by name, called when the visitor requests the file;
        stem : file name without suffix.
        """
        about = f"{artifact.about[:1].upper()}{artifact.about[1:]}." if artifact.about else None
        return cls(
            artifact.label, lambda: artifact.of(known()), f"{stem}.{artifact.suffix}", artifact.mime, icon, about
        )

    def button(self) -> None:
        """Draw the button as an entry of the menu."""
        save_button(
            self.label, self.make, self.name, self.mime, key=f"save-{self.label}", type="tertiary", width="stretch",
            icon=f":material/{self.icon or 'download'}:", help=self.help,
        )  # fmt: skip
