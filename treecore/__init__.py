"""Single decision trees trained by Tree Alternating Optimization (TAO).

Symbols used throughout: n rows, d features, m nodes, k classes; `lam` is lambda of the objective.
The papers that are cited by authors and year are listed in the README.
"""

from importlib import import_module

# Every public name by the module that defines it, which is imported when the name is first asked for: `import treecore`
# loads no baseline, no solver and no library that it does not need.
_NAMES = {
    "treecore.baselines.bidt": ("BiDTClassifier",),
    "treecore.baselines.bivariate_cart": ("BivariateCARTClassifier", "BivariateCARTRegressor"),
    "treecore.baselines.boundary_forest": ("BoundaryForestClassifier",),
    "treecore.baselines.c50.classifier": ("C50Classifier",),
    "treecore.baselines.cart": ("CARTClassifier", "CARTRegressor"),
    "treecore.baselines.co2": ("CO2Classifier",),
    "treecore.baselines.forest": ("CO2ForestClassifier", "TAOForestClassifier", "TwoProbeForestClassifier"),
    "treecore.baselines.non_greedy": ("NonGreedyClassifier",),
    "treecore.baselines.oblique_cart": ("ObliqueCARTClassifier",),
    "treecore.errors": (
        "DataError",
        "DataSetNotFound",
        "EditError",
        "NoCounterfactual",
        "ParameterError",
        "RuleError",
        "TreeFormatError",
        "TreecoreError",
    ),
    "treecore.explain.counterfactuals": ("Counterfactual", "counterfactual"),
    "treecore.model.model": ("Model",),
    "treecore.rules.rule_set": ("Rule", "RuleSet"),
    "treecore.training.estimators": ("TAOClassifier", "TAORegressor"),
    "treecore.training.path": ("PathPoint", "RegularizationPath", "regularization_path"),
    "treecore.training.phase": ("PhaseDiagram", "PhasePoint", "phase_diagram"),
    "treecore.tree.tree": ("Tree",),
}
_MODULES = ("explain", "export", "rules")
_WHERE = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted([*_WHERE, *_MODULES])  # noqa: PLE0605


def __getattr__(name):
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    if name in _MODULES:
        return import_module(f"treecore.{name}")
    raise AttributeError(f"module 'treecore' has no attribute {name!r}")


def __dir__():
    return __all__
