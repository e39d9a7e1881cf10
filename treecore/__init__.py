"""Single decision trees trained by Tree Alternating Optimization (TAO).

Symbols used throughout: n rows, d features, m nodes, k classes; `lam` is lambda of the objective. "file 000" to
"file 004" are the papers listed in the README.
"""

from treecore import explain, export, rules
from treecore.baselines.bidt import BiDTClassifier
from treecore.baselines.bivariate_cart import BivariateCARTClassifier, BivariateCARTRegressor
from treecore.baselines.boundary_forest import BoundaryForestClassifier
from treecore.baselines.c50 import C50Classifier
from treecore.baselines.cart import CARTClassifier, CARTRegressor
from treecore.baselines.co2 import CO2Classifier
from treecore.baselines.forest import CO2ForestClassifier, TAOForestClassifier, TwoProbeForestClassifier
from treecore.baselines.non_greedy import NonGreedyClassifier
from treecore.baselines.oblique_cart import ObliqueCARTClassifier
from treecore.counterfactuals import Counterfactual, counterfactual
from treecore.errors import (
    DataError,
    DataSetNotFound,
    EditError,
    NoCounterfactual,
    ParameterError,
    RuleError,
    TreecoreError,
    TreeFormatError,
)
from treecore.estimators import TAOClassifier, TAORegressor
from treecore.model import Model
from treecore.path import PathPoint, RegularizationPath, regularization_path
from treecore.phase import PhaseDiagram, PhasePoint, phase_diagram
from treecore.rules import Rule, RuleSet
from treecore.tree import Tree

__all__ = [
    "BiDTClassifier",
    "BivariateCARTClassifier",
    "BivariateCARTRegressor",
    "BoundaryForestClassifier",
    "CO2Classifier",
    "CO2ForestClassifier",
    "C50Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "Counterfactual",
    "DataError",
    "DataSetNotFound",
    "EditError",
    "ObliqueCARTClassifier",
    "Model",
    "NonGreedyClassifier",
    "NoCounterfactual",
    "ParameterError",
    "PathPoint",
    "PhaseDiagram",
    "PhasePoint",
    "RegularizationPath",
    "Rule",
    "RuleError",
    "RuleSet",
    "TAOClassifier",
    "TAOForestClassifier",
    "TAORegressor",
    "Tree",
    "TreeFormatError",
    "TreecoreError",
    "TwoProbeForestClassifier",
    "counterfactual",
    "explain",
    "export",
    "phase_diagram",
    "regularization_path",
    "rules",
]
