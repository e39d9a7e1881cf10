"""Generate the page of the documentation that lists every parameter and setting.

``python -m pages.jobs.settings_table`` writes the page from the declarations.
"""

from collections.abc import Sequence
from pathlib import Path

from pages.jobs.setting import settings_of
from pages.jobs.settings import PathSettings
from treecore.training.parameters import CLASSIFIER, PARAMETERS, REGRESSOR

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "settings.md"
_FIRST = """\
# Settings

This page lists the parameters of the estimators and the settings of the Tree page. It is generated
by `python -m pages.jobs.settings_table`.

## Parameters of the estimators

`TAOClassifier` and `TAORegressor` have these parameters. The commands `fit` and `path` have most of them as options,
and a link to the Tree page sets most of them by name.
"""
_SECOND = """
## Settings of the Tree page

A link contains the settings that differ from the default, such as `?data_set=iris&split=bivariate&min_samples_leaf=5`.
"""


def settings_table() -> str:
    """Return the page as Markdown."""
    links = {one.parameter: one.link for one in settings_of(PathSettings).values() if one.parameter}
    links |= {"random_state": "seed", "max_depth": "max_depth", "class_weight": "class_weight"}
    rows = [("parameter", "values", "default", "command line", "in a link", "description")]
    for name, one in PARAMETERS.items():
        option = f"`--{name.replace('_', '-')}`" if one.is_option else "`--seed`" if name == "random_state" else ""
        rows.append(
            (f"`{name}`", one.source, f"`{one.default!r}`", option, _code(links.get(name)), _of(name) + _cell(one.doc))
        )
    settings = [("in a link", "control", "values", "default", "description")]
    for one in settings_of(PathSettings).values():
        default = one.none if one.default is None else _code(one.default)
        settings.append((_code(one.link), one.words, one.kind.allowed, default, _cell(one.help)))
    return _FIRST + _table(rows) + _SECOND + _table(settings)


def _of(name: str) -> str:
    if name not in REGRESSOR:
        return "Classification only. "
    return "" if name in CLASSIFIER else "Regression only. "


def _code(value: object) -> str:
    return "" if value in (None, "", ()) else f"`{value}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("``", "`")


def _table(rows: Sequence[Sequence[str]]) -> str:
    lines = ["", *(f"| {' | '.join(row)} |" for row in rows)]
    lines.insert(2, "|" + "---|" * len(rows[0]))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(settings_table(), encoding="utf-8")
