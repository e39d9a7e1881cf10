"""Test that the sources of the project obey its layer rules."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import treecore

ROOT = Path(__file__).resolve().parent.parent
LAYERS = [name for name in ("treecore", "viz", "pages", "sample_data") if (ROOT / name).is_dir()]
FILES = sorted(path.relative_to(ROOT).as_posix() for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))
# Modules that a layer must not import.
FORBIDDEN = {
    "treecore": {
        "viz",
        "pages",
        "sample_data",
        "app",
        "streamlit",
        "matplotlib",
        "PIL",
        "plotly",
        "tests",
        "benchmarks",
    },
    "viz": {"pages", "app", "streamlit", "tests", "benchmarks"},
    "sample_data": {"viz", "pages", "app", "streamlit", "matplotlib", "PIL", "plotly", "tests", "benchmarks"},
    "pages": {"numba", "tests", "benchmarks"},
}
# Exceptions: modules that one file may import although its layer must not.
ALLOWED = {
    "sample_data/user_data/readers/image_zip.py": {"PIL"}  # reads the user's images, but draws nothing
}
# The program uses the library: it reads user files and draws, as the pages do.
PROGRAM = "viz/command_line/"
# Layers of the engine, from the bottom up. A file imports from lower layers, from its own folder, and from the files
# directly in treecore, which import only each other.
FLOORS = (
    ("tree",),
    ("foreign", "statistics"),
    ("tables", "data", "explain"),
    ("rules", "export", "model", "node_solvers"),
    ("constraints",),
    ("initial",),
    ("training",),
    ("baselines",),
    ("comparison",),
)
FLOOR = {name: floor for floor, names in enumerate(FLOORS) for name in names}
ON_TOP = ("treecore/__main__.py", "treecore/warm_up.py")
# Layers of the pages, from the bottom up. A file imports from lower layers and from its own folder. The files directly
# in pages/ui (the frame, the table of pages) are above all layers.
UI_FLOORS = (
    ("styles", "components"),
    ("shell",),
    ("session",),
    ("save",),
    ("explore", "compare", "data", "edit", "rules", "explain", "predict", "room"),
    ("learn",),
)
UI_FLOOR = {name: floor for floor, names in enumerate(UI_FLOORS) for name in names}
# Folders of the browser code, and the other folders that each may import. Panels do not import each other.
STAGE = sorted((ROOT / "viz" / "stage").rglob("*.js"))
DRAWN_WITH = {"elements", "model", "geometry"}
STAGE_LAYERS = {
    "elements": set(),
    "model": set(),
    "geometry": {"model"},
    "draw": DRAWN_WITH,
    **{name: DRAWN_WITH | {"draw"} for name in ("panels", "edit", "record", "paint", "lesson")},
    "host": DRAWN_WITH | {"draw", "panels", "edit", "record", "paint", "lesson"},
}
WITHOUT_DOM = {"model", "geometry"}
# Names of the browser's DOM; `document` also names the content of an edited tree.
DOM = re.compile(
    r"\b(?:window|navigator|localStorage)\.|\bdocument\.(?!nodes\b)|HTML\w*Element|Canvas\w*\(|getContext|matchMedia|"
    r"(?:add|remove)EventListener|(?:request|cancel)AnimationFrame|(?:set|clear)(?:Timeout|Interval)|ResizeObserver"
)
# Only Store.set changes the state of the stage. Nothing changes a path and its trees.
ASSIGNED = re.compile(r"\b(?:state|path|tree)\.\w+ (?:\?\?)?=(?!=)|Object\.assign\([\w.]*\b(?:state|path|tree),")
SHARED_BY_SOLVERS = {
    "messages",
    "l1_kernels",
    "surrogates",
    "thresholds",
    "pair_kernels",
    "category_groups",
    "group_kernels",
    "permitted",
    "feature_costs",
    "signed_line",
    "side_kernels",
}
SHARED_BY_INITIAL_TREES = {
    "treecore.initial." + name
    for name in (
        "messages",
        "impurity_kernels",
        "oblique_kernels",
        "greedy",
        "cart",
        "best_group",
        "binary_features",
        "optimal_search",
    )
}


def for_each(names):
    """Return a decorator for one test that checks every name and lists all failures.

    One test per name took a minute.
    """

    def decorated(check):
        def test():
            faults = {}
            for name in names:
                try:
                    check(name)
                except AssertionError as fault:
                    faults[name] = str(fault)
            assert faults == {}

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        return test

    return decorated


@cache
def source(name):
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def parsed(name):
    return ast.parse(source(name))


@cache
def imports(name):
    """Return the absolute dotted names of all modules that a file imports, also inside functions."""
    found = set()
    package = name.removesuffix(".py").split("/")[:-1]
    for node in ast.walk(parsed(name)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            found |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return found


def modules():
    """Return {dotted name: file} of all our modules, with `__init__.py` for packages."""
    paths = [*FILES, *(path.relative_to(ROOT).as_posix() for path in (ROOT / "benchmarks").rglob("*.py")), "app.py"]
    return {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in paths}


def stub_names(package):
    """Return {name: module} for a package that loads its names at first use."""
    stub = ROOT / package / "__init__.pyi"
    nodes = ast.parse(stub.read_text(encoding="utf-8")).body if stub.exists() else []
    dotted = package.replace("/", ".")
    return {
        alias.name: ".".join(filter(None, (dotted, node.module)))
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def imported_modules(name, known, lazy):
    """Return which of our modules a module (dotted name) imports, including imports for types.

    The result contains the modules under the names that are used, and all packages in between.
    """
    found = set()
    for node in ast.walk(parsed(known[name])):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.add(whole if whole in known else lazy.get(whole, node.module))
    faces = {one.rsplit(".", k)[0] for one in found for k in range(1, one.count(".") + 1)}
    # A module inside a package does not import the package's `__init__.py`, because that is already being imported.
    faces = {face for face in faces if name != face and not name.startswith(face + ".")}
    return {one for one in found | faces if one in known} - {name}


def circles(graph):
    """Return {name: imported names of the same cycle} for every name on an import cycle."""
    reached = {name: set(others) & graph.keys() for name, others in graph.items()}
    for through in graph:
        for name in graph:
            if through in reached[name]:
                reached[name] |= reached[through]
    return {name: {one for one in graph[name] & graph.keys() if name in reached[one]}
            for name in graph if name in reached[name]}  # fmt: skip


def calls(name):
    """Return the names of called functions, with ``module.name`` for attributes."""
    for node in ast.walk(parsed(name)):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def of(*layers):
    return [name for name in FILES if name.split("/")[0] in layers]


def test_the_engine_is_among_the_layers():
    assert "treecore/training/tao.py" in FILES


@for_each(FILES)
def test_layers_import_only_what_they_may(name):
    roots = {module.split(".")[0] for module in imports(name)}
    assert not roots & (FORBIDDEN[name.split("/")[0]] - ALLOWED.get(name, set()))


def test_no_module_imports_itself_through_others():
    known = modules()
    lazy = {f"{package}.{name}": module for package in LAYERS for name, module in stub_names(package).items()}
    graph = {name: imported_modules(name, known, lazy) for name in known}
    assert graph["pages.jobs.kinds.tasks"] >= {"treecore.training.path", "treecore"}
    assert circles(graph) == {}


def test_no_folder_imports_itself_through_others():
    """A folder and its subfolders count as one place."""
    known = {name: path for name, path in modules().items() if not name.startswith("benchmarks") and name != "app"}
    folders = {path.rpartition("/")[0].replace("/", ".") for path in known.values()}
    folder_of = {name: path.rpartition("/")[0].replace("/", ".") for name, path in known.items() if path not in ON_TOP}
    graph = {folder: set() for folder in folders}
    for name, own in folder_of.items():
        for other in imported_modules(name, known, {}):
            theirs = folder_of.get(other, own)
            if not f"{own}.".startswith(f"{theirs}.") and not f"{theirs}.".startswith(f"{own}."):
                graph[own].add(theirs)
    assert circles(graph) == {}


@for_each(of("treecore"))
def test_the_engine_imports_from_lower_floors_only(name):
    package = name.split("/")[1]
    inner = {module for module in imports(name) if module.startswith("treecore.")}
    floors = {module.split(".")[1] for module in inner} - {package}
    if name in ON_TOP:
        return
    if package in FLOOR:
        assert {FLOOR[one] for one in floors if one in FLOOR} <= set(range(FLOOR[package]))
    else:
        assert not floors & FLOOR.keys()


def test_every_folder_of_the_engine_has_its_floor():
    folders = {path.name for path in (ROOT / "treecore").iterdir() if (path / "__init__.py").exists()}
    assert folders == FLOOR.keys()


@for_each(of("treecore", "viz", "pages", "sample_data"))
def test_our_own_code_imports_names_from_where_they_are(name):
    """Our code imports each name from the module that defines it, not from a package."""
    faces = {
        f"{package}.{one}" for package in LAYERS for one, module in stub_names(package).items() if module != package
    }
    assert not imports(name) & faces


@for_each([name for name in FILES if name.startswith(("pages/jobs/", "pages/rooms/"))])
def test_jobs_and_rooms_know_no_page(name):
    assert not [
        module for module in imports(name) if module.split(".")[0] == "streamlit" or module.startswith("pages.ui")
    ]


def test_folders_of_the_pages_import_from_lower_floors_only():
    def above(name):
        own, _, inner = name.removeprefix("pages/ui/").partition("/")
        if not inner:
            return set()
        others = {module.split(".")[2] for module in imports(name) if module.startswith("pages.ui.")} - {own}
        return {one for one in others if UI_FLOOR.get(one, len(UI_FLOORS)) >= UI_FLOOR[own]}

    files = [name for name in FILES if name.startswith("pages/ui/") and name != "pages/ui/__init__.py"]
    assert {name: above(name) for name in files if above(name)} == {}


def test_tests_lie_where_their_sources_lie():
    """Every folder of tests has a folder of sources, except the tests of the whole app and the browser code."""
    of_parts = {path.parent.relative_to(ROOT / "tests").as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    assert [folder for folder in of_parts - {".", "browser", "faults", "stage"} if not (ROOT / folder).is_dir()] == []


def test_modules_of_the_stage_have_names_of_their_own():
    names = [path.name for path in (ROOT / "viz" / "stage").rglob("*.js")]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("package", [package for package in LAYERS if stub_names(package)])
def test_lazy_names_are_what_the_modules_define(package):
    face = importlib.import_module(package)
    assert face.__all__ == sorted(stub_names(package))
    for name, module in stub_names(package).items():
        assert module == package or getattr(face, name) is getattr(importlib.import_module(module), name)
        assert f"import {name} as {name}\n" in (ROOT / package / "__init__.pyi").read_text(encoding="utf-8")
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = face.no_such_name


def test_importing_a_package_loads_nothing_that_is_slow():
    slow = "numba numpy sklearn scipy pandas matplotlib plotly"
    for package in ("treecore", "viz"):
        code = f"import sys, {package}; sys.exit(', '.join(n for n in '{slow}'.split() if n in sys.modules))"
        assert (
            subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True).stderr.strip() == ""
        )


def test_the_library_does_not_import_the_program():
    for name in FILES:
        if not name.startswith(PROGRAM):
            assert not [module for module in imports(name) if module.startswith("viz.command_line")]


@for_each([name for name in FILES if name not in ("treecore/_jit.py", "treecore/_jit_lanes.py")])
def test_numba_is_imported_in_two_modules_only(name):
    assert "numba" not in {module.split(".")[0] for module in imports(name)}


@for_each([name for name in of("treecore") if name.startswith("treecore/node_solvers/")])
def test_no_node_solver_imports_another(name):
    if name.endswith("__init__.py"):
        return
    others = {
        module.split(".")[2]
        for module in imports(name)
        if module.startswith("treecore.node_solvers.") or module == "treecore.node_solvers"
        if module.count(".") >= 2
    }
    assert others <= SHARED_BY_SOLVERS
    assert "treecore.node_solvers" not in imports(name) - {"treecore.node_solvers." + other for other in others}


@for_each([name for name in of("treecore") if name.startswith("treecore/initial/")])
def test_no_initial_tree_imports_another(name):
    if not name.endswith("__init__.py"):
        found = {".".join(module.split(".")[:3]) for module in imports(name) if module.startswith("treecore.initial.")}
        assert found <= SHARED_BY_INITIAL_TREES


@for_each(of("treecore", "viz", "sample_data"))
def test_libraries_do_not_print(name):
    assert "print" not in {called for called, _ in calls(name)}


@for_each(FILES)
def test_nothing_loads_code_from_data(name):
    for called, node in calls(name):
        assert called not in {"eval", "exec", "compile", "__import__"}
        assert not [word for word in node.keywords if word.arg == "allow_pickle" and ast.unparse(word.value) != "False"]
    assert not {module.split(".")[0] for module in imports(name)} & {
        "pickle",
        "cPickle",
        "dill",
        "joblib",
        "shelve",
        "marshal",
    }


@for_each(FILES)
def test_no_error_is_swallowed_whole(name):
    for node in ast.walk(parsed(name)):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None
            assert not {"Exception", "BaseException"} & {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)}


@for_each(treecore.__all__)
def test_public_names_exist_and_are_described(name):
    assert inspect.getdoc(getattr(treecore, name))


def test_public_names_are_sorted_and_unique():
    assert sorted(set(treecore.__all__)) == sorted(treecore.__all__)


@for_each(of("treecore"))
def test_modules_and_their_public_functions_are_described(name):
    tree = parsed(name)
    assert ast.get_docstring(tree)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), node.name


@for_each(of("treecore"))
def test_every_module_can_be_imported(name):
    importlib.import_module(name.removesuffix(".py").removesuffix("/__init__").replace("/", "."))


def bare(path):
    """Return the source of a browser module without its comments."""
    return re.sub(r"/\*[\s\S]*?\*/|(?:^|\s)//\s.*", "", path.read_text(encoding="utf-8"))


def breaches(found, folders=frozenset(STAGE_LAYERS), but=()):
    """Return {module: `found(path)`} for the modules in some folders, without empty results."""
    modules = [path for path in STAGE if path.parent.name in folders and path.name not in but]
    return {path.name: found(path) for path in modules if found(path)}


def test_the_folders_of_the_stage_import_only_what_is_below_them():
    def above(path):
        folders = set(re.findall(r'from "\.\./(\w+)/', path.read_text(encoding="utf-8")))
        return folders - STAGE_LAYERS[path.parent.name] - {path.parent.name}

    assert {path.parent.name for path in STAGE} == set(STAGE_LAYERS)
    assert breaches(above) == {}


def test_the_model_of_the_stage_knows_no_page():
    assert breaches(lambda path: DOM.findall(bare(path)), WITHOUT_DOM) == {}


def test_the_state_and_the_path_of_the_stage_are_assigned_nowhere():
    assert breaches(lambda path: ASSIGNED.findall(bare(path)), but=("payload.js",)) == {}


def test_no_part_of_the_stage_holds_the_whole_of_it():
    parts = set(STAGE_LAYERS) - {"host"}
    assert breaches(lambda path: re.findall(r"\bstage\.[a-zA-Z]|\bthis\.stage\b", bare(path)), parts) == {}


def test_listeners_and_timers_are_created_where_they_end():
    """Only elements/life.js creates page listeners, timers and frames."""
    begun = (
        r"\b(?:setTimeout|setInterval|requestAnimationFrame|ResizeObserver)\(|(?:window|document|\))\.addEventListener"
    )
    assert breaches(lambda path: re.findall(begun, bare(path)), set(STAGE_LAYERS) - {"elements"}) == {}
