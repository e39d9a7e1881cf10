"""Draw the maps of a grid of λ and C in a large size, and save them as files."""

from typing import Any

import streamlit as st

from pages.ui.save import save_figures
from pages.ui.save.saved_file import SavedFile
from pages.ui.session.trained_grid import TrainedGrid
from pages.ui.shell import chart, file_names
from sample_data import DataSet
from viz.charts.phase_figure import phase_figure
from viz.words.error_names import error_name


def large_maps(grid: TrainedGrid, index: int, data: DataSet) -> None:
    """Draw the maps of a `TrainedGrid` in an expander, with the cell at `index` marked."""
    listed = st.expander("All maps of λ and C", icon=":material/grid_on:", key="open maps", on_change="rerun")
    if listed.open:
        listed.image(_figure(grid, index, data, "svg", chart.theme()).decode(), width="stretch")
        name = error_name("validation_error", grid.points[0].figures["is_weighted"])
        listed.caption(
            f"Frame: tree on screen. Dashed: within one standard error of the smallest {name} (star). Dotted "
            "grey: single leaf. Based on figure 1 of Kairgeldin and Carreira-Perpiñán 2024."
        )


def files(grid: TrainedGrid, index: int, data: DataSet) -> None:
    """Draw the menu entries: the maps as figures, and all metrics."""
    # Read these here, because a thread without a session makes the files.
    stem, look = f"phase-{file_names.of_data(data)}", save_figures.background("maps-theme")
    for one in save_figures.files("Maps", stem, lambda ending: _figure(grid, index, data, ending, look)):
        one.button()
    SavedFile(
        "All metrics of the diagram (CSV)", lambda: grid.to_frame().to_csv(index=False), f"{stem}.csv", "text/csv"
    ).button()


def _figure(grid: TrainedGrid, index: int, data: DataSet, ending: str, look: str) -> Any:
    good, best = (grid.within_one_se(), grid.best("min").index) if grid.n_validation else (None, None)
    return phase_figure(
        [point.figures for point in grid.points], grid.lams.tolist(), grid.costs.tolist(), ending, good=good,
        best=best, shown=index, theme=look, title=data.title,
    )  # fmt: skip
