"""Measure the picture of every screen of every lesson in headless Chromium.

    python -m benchmarks.lesson_plots                          # three sizes, about ten minutes
    python -m benchmarks.lesson_plots --only bias-and-variance --size 390 --shots FOLDER

Each screen has one explaining picture: the large plot, the plane, the planes of several runs or trees, the chart, or
else the whole tree. The script reports its larger side, the share of it that is in the window before scrolling, and
labels that are shortened or outside their picture. It ends with 1 if a picture is smaller than `LEAST`, if a phone does
not show it whole, or if a label is cut.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from benchmarks.common import heading, table, write_json
from benchmarks.harness import NoBrowser, chromium
from pages.ui.learn import lessons
from pages.ui.learn.lessons.document import document
from viz.page.stage_html import lesson_html

SIZES = ((1920, 1080), (1280, 720), (390, 844))
LEAST = {1920: 700}  # pixels, by width of the window
SHOWN = """([moment]) => document.querySelector("[data-testid=lesson]")?.dataset.moment === moment &&
  document.querySelector("[data-testid=stage]").dataset.painted"""
# Keep the texts that a canvas shows, until it is cleared.
WATCH = """() => {
  const own = CanvasRenderingContext2D.prototype;
  const { fillText, clearRect } = own;
  own.clearRect = function (...of) { this.canvas.texts = []; return clearRect.apply(this, of); };
  own.fillText = function (text, x, y, ...rest) {
    const { width } = this.measureText(text), m = this.getTransform();
    const share = { center: 0.5, right: 1, end: 1 }[this.textAlign] ?? 0;
    const from = x - share * width;
    const high = parseFloat(this.font.match(/([\\d.]+)px/)[1]);
    const [left, right] = [from, from + width].map((at) => m.a * at + m.e);
    const outside = m.b ? false : left < -2 || right > this.canvas.width + 2 ||
      m.d * y + m.f - (0.3 * high) * m.d < 0 || m.d * y + m.f > this.canvas.height + 2;
    (this.canvas.texts ??= []).push({ text, outside });
    return fillText.call(this, text, x, y, ...rest);
  };
}"""
MEASURE = """() => {
  const { stage } = window, { view, tree } = stage, { node } = stage.store.state;
  const visible = (e) => e?.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0;
  const boxOf = (e) => {
    const { x, y, width, height } = e.getBoundingClientRect();
    return { x, y, w: width, h: height };
  };
  const all = (test) => [...document.querySelectorAll(test)].filter(visible);
  const around = (boxes) => {
    const [x, y] = [Math.min(...boxes.map((b) => b.x)), Math.min(...boxes.map((b) => b.y))];
    return { x, y, w: Math.max(...boxes.map((b) => b.x + b.w)) - x, h: Math.max(...boxes.map((b) => b.y + b.h)) - y };
  };
  const [runs, votes, charts] = [all(".runs canvas"), all(".forest .vote canvas"), all("[data-testid=lesson-figure]")];
  const [plot] = all("canvas[data-testid=lesson-plot]"), [plane] = all("[data-testid=stage-plane]");
  let kind, box;
  if (charts.length) [kind, box] = ["chart", boxOf(charts[0])];
  else if (runs.length) [kind, box] = ["runs", around(runs.map(boxOf))];
  else if (votes.length) [kind, box] = ["vote", boxOf(votes[0])];
  else if (plot) {
    const canvas = boxOf(plot), b = stage.nodePlot.box;
    [kind, box] = ["plot", { x: canvas.x + b.x - b.w / 2, y: canvas.y + b.y - b.h / 2, w: b.w, h: b.h }];
  } else if (plane) {
    const canvas = boxOf(plane), { area } = stage.plane.frame;
    [kind, box] = ["plane", { x: canvas.x + area.left, y: canvas.y + area.top, w: area.w, h: area.h }];
  } else [kind, box] = ["tree", boxOf(view.canvas)];
  const shown = Math.max(0, Math.min(box.y + box.h, innerHeight) - Math.max(box.y, 0)) / box.h;
  const onCanvas = all("canvas").flatMap(({ texts = [] }) => texts.filter((t) => t.outside || t.text.includes("…")));
  const frame = view.element.getBoundingClientRect();
  const labels = all(".view .label").filter((e) => {
    const b = e.getBoundingClientRect();
    return e.textContent.includes("…") || b.left < frame.left - 2 || b.right > frame.right + 2 ||
      b.top < frame.top - 2 || b.bottom > frame.bottom + 2;
  });
  const cut = [...onCanvas.map(({ text }) => text), ...labels.map((e) => e.textContent)];
  const next = document.querySelector("[data-testid=lesson-next]").getBoundingClientRect();
  return { kind, box, shown, cut, wide: document.documentElement.scrollWidth > innerWidth,
           next: next.top >= 0 && next.bottom <= innerHeight && next.right <= innerWidth };
}"""


class Screen(NamedTuple):
    """One screen of a lesson at one size of the window.

    width : width of the window; side : larger side of the picture; shown : share of the picture in the window; cut :
    cut labels.
    """

    slug: str
    number: int
    width: int
    kind: str
    side: float
    shown: float
    cut: list
    next: bool
    wide: bool

    def faults(self):
        """Return all faults, in words."""
        least = LEAST.get(self.width, 0)
        return [
            words
            for words, is_so in (
                (f"smaller than {least} px", self.side < least),
                ("not in the window", self.shown < 0.999),
                ("Next is outside", not self.next),
                ("page is too wide", self.wide),
                (f"cut: {', '.join(self.cut)}", bool(self.cut)),
            )
            if is_so
        ]


def file_of(slug, folder):
    """Write the standalone file of a lesson, whose stage is `window.stage`, and return its address."""
    built = lessons.build(slug)
    text = lesson_html(document(lessons.ALL[slug], built), [scene.content for scene in built.scenes], slug)
    text = text.replace('await standalone(element("stage")', 'window.stage = await standalone(element("stage")')
    path = Path(folder) / f"{slug}.html"
    path.write_text(text, encoding="utf-8")
    return path.as_uri()


def measure(page, address, slug, shots):
    """Yield a `Screen` for each screen of a lesson."""
    page.goto(address)
    page.wait_for_selector("[data-testid=stage][data-painted]")
    for number in range(page.evaluate("stage.lesson.content.moments.length")):
        page.evaluate("(number) => { scrollTo(0, 0); return stage.lesson.show(number); }", number)
        page.wait_for_function(SHOWN, arg=[str(number)])
        page.wait_for_timeout(400)
        page.evaluate("scrollTo(0, 0)")
        found = page.evaluate(MEASURE)
        width = page.viewport_size["width"]
        if shots:
            page.screenshot(path=Path(shots) / f"{slug}-{number + 1}-{width}.png")
        side = max(found["box"]["w"], found["box"]["h"])
        yield Screen(slug, number + 1, width, found["kind"], side, found["shown"], found["cut"], found["next"],
                     found["wide"])  # fmt: skip


def run(slugs, sizes, scheme, shots):
    """Return the screens of the lessons."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        addresses = {slug: file_of(slug, folder) for slug in slugs}
        screens = []
        for width, height in sizes:
            view = {"width": width, "height": height}
            page = browser.new_context(viewport=view, reduced_motion="reduce", color_scheme=scheme).new_page()
            page.add_init_script(f"({WATCH})()")
            for slug, address in addresses.items():
                screens += measure(page, address, slug, shots)
        return screens


def report(screens):
    """Print the summary of each size, and every screen with a fault; return whether all are sound."""
    sizes = sorted({screen.width for screen in screens}, reverse=True)
    rows = []
    for width in sizes:
        part = [screen for screen in screens if screen.width == width]
        whole, cut = sum(screen.shown >= 0.999 for screen in part), sum(bool(screen.cut) for screen in part)
        rows.append([width, len(part), round(min(screen.side for screen in part)), whole, cut])
    print(table(["window", "screens", "smallest picture", "in the window", "with cut labels"], rows, left=()))
    wrong = [screen for screen in screens if screen.faults()]
    if wrong:
        cells = [[s.slug, s.number, s.width, s.kind, round(s.side), "; ".join(s.faults())] for s in wrong]
        print("\n" + table(["lesson", "screen", "window", "picture", "px", "fault"], cells, left=(0, 3, 5)))
    return not wrong


def main():
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", choices=lessons.ALL, default=list(lessons.ALL), help="slugs of lessons")
    parser.add_argument(
        "--size", nargs="*", type=int, default=[width for width, _ in SIZES], help="widths of the window"
    )
    parser.add_argument("--dark", action="store_true", help="dark colours")
    parser.add_argument("--shots", help="folder for a screenshot of each screen")
    options = parser.parse_args()
    print(heading("Pictures of the lessons"))
    if options.shots:
        Path(options.shots).mkdir(parents=True, exist_ok=True)
    sizes = [size for size in SIZES if size[0] in options.size]
    try:
        screens = run(options.only, sizes, "dark" if options.dark else "light", options.shots)
    except NoBrowser as missing:
        print(missing)
        return 0
    print("->", write_json("lesson_plots", {"screens": [screen._asdict() for screen in screens]}))
    return 0 if report(screens) else 1


if __name__ == "__main__":
    sys.exit(main())
