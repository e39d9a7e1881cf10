"""Sentences of errors of `treecore.foreign`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "foreign",
    {
        "not_a_model": (
            "tree={model!r:.60}: give a Tree; a fitted estimator of treecore with one tree, or of scikit-learn "
            "(DecisionTree, ExtraTree); a Pipeline or a search with one at its end; a model of XGBoost, LightGBM or "
            "ONNX with one tree."
        ),
        "not_fitted": (
            "tree={model!r:.60} that is not fitted: give a Tree; a fitted estimator of treecore with one tree, or of "
            "scikit-learn (DecisionTree, ExtraTree); a Pipeline or a search with one at its end; a model of XGBoost, "
            "LightGBM or ONNX with one tree."
        ),
        "tree.not_the_only_one": "tree={number!r:.40}: the model has 1 tree, number 0.",
        "tree.not_one_of": "tree={number!r:.40}: the model has {n_trees:,} trees, 0 to {last}.",
        "tree.in_file": "Tree {number} of the file of {program}",
        "all_trees": "The {model} predicts by all of its trees together.",
        "all_weighted_trees": "The {model} predicts by all of its trees together, each with its own weight.",
        "adds_up": "The {model} adds up the leaves of its {n_trees:,} trees: one of them alone predicts a margin.",
        "other_objective": "The objective {objective!r} makes something else of the margin that the tree predicts.",
        "no_single_tree": "{alone} One can be looked at by itself: {one}; viz.forest_strip(model) shows them all.",
        "not_a_file": "model={model!r:.60}: give {wanted}, or a path, the bytes or the text of its file.",
        "unreadable_file": "The file {file!r:.80} cannot be read: {reason}.",
        "file_too_large": "{file!r:.80} has more than {most:,} bytes; no more are read.",
        "bytes_too_many": "The file has {n_bytes:,} bytes; at most {most:,} are read.",
        "nested_too_deeply": "{what} is nested too deeply to be read.",
        "damaged": "{what} is damaged, or not that: {error!r:.80}.",
        "too_many_nodes": "The tree has {n_nodes:,} nodes; at most {most:,} are read.",
        "lost_node": "Node {node} of the tree is missing, or is below two nodes: the file is damaged.",
        "columns_of_rows": "X has {n_columns} columns, but the model was trained on {expected}.",
        "lacking_columns": "X lacks the columns {lacking}; the model was trained on {names}.",
        "not_a_number": "Column {column!r} holds something that is not a number: {error}.",
        "one_class": (
            "The model was trained on rows of one class alone ({label!s:.40}), so its tree tells nothing apart: train "
            "it on rows of two classes or more."
        ),
        "no_tree": "The model has no tree; train it first.",
        "steps_before_model": (
            "Before the model of {program} stand other steps of the pipeline, which its thresholds do not know: give "
            "pipeline[-1] with the rows that pipeline[:-1].transform(X) makes."
        ),
        "step_without_form": (
            "The step {step} of the pipeline makes other features of the columns, in which the tree decides; only "
            "{scalers:comma} can be carried over into its thresholds. Give the tree alone, pipeline[-1], with the "
            "rows that pipeline[:-1].transform(X) makes."
        ),
        "scaled_sum": (
            "Node {node} weighs {n_features} features, and their scaled sum would be rounded otherwise than in the "
            "pipeline. Train the estimator without scalers before it (the TAO estimators scale by themselves), or "
            "give the tree alone, pipeline[-1], with the rows that pipeline[:-1].transform(X) makes."
        ),
        "sklearn.accepted": "a fitted tree of scikit-learn",
        "sklearn.not_a_tree": (
            "model={kind}: give a fitted DecisionTree, ExtraTree, a forest or a boosted model of trees of "
            "scikit-learn, or a pipeline with one at its end."
        ),
        "sklearn.several_outputs": (
            "The tree predicts {n_outputs} outputs at once; a tree here predicts one. Fit a tree for each."
        ),
        "sklearn.not_a_forest": "The {kind} has no trees, or other models beside them; forests of trees are taken.",
        "sklearn.leaves_predict_nothing": (
            "The trees of {kind} are drawn at random, and it asks only how deep rows fall in them, or where: their "
            "leaves predict nothing that could be shown."
        ),
        "sklearn.columns_by_tree": (
            "Each tree of {kind} sees columns of its own. Give one of its estimators_, with the columns of "
            "estimators_features_."
        ),
        "sklearn.first_guess": (
            "The {model} adds up the leaves of its {n_trees:,} trees and a first guess: one tree alone predicts a "
            "margin."
        ),
        "sklearn.sets_of_categories": (
            "The tree decides on sets of categories, by numbers that the model gives them inside. Train without "
            "categorical_features, on a 0/1 column for each category (OneHotEncoder)."
        ),
        "sklearn.arrays": "The arrays of a tree do not fit together: the file is damaged.",
        "skops.file": "The skops file",
        "skops.too_large": "The skops file unpacks to more than {most:,} bytes; no more are read.",
        "skops.version": (
            "The skops file has protocol {version!s:.20}, of which nobody knows here what it means: those up to "
            "{newest} are read. Save the model by an older version of skops."
        ),
        "skops.nested_too_deeply": "The skops file is nested too deeply to be a model.",
        "skops.damaged": "The skops file is damaged: {error!s:.80}.",
        "skops.short_array": "An array of the skops file is not as long as it says: the file is damaged.",
        "skops.arrays": "The arrays of a tree do not fit together: the skops file is damaged.",
        "xgboost.accepted": "a fitted XGBClassifier, XGBRegressor or Booster",
        "xgboost.file": "The JSON of an XGBoost model",
        "xgboost.not_json": (
            "The file is no JSON of an XGBoost model. Other forms of it (UBJSON, text dumps) are not read: save it by "
            'booster.save_model("model.json").'
        ),
        "xgboost.dump": (
            "The file is a dump of XGBoost (dump_model), which lacks what the trees mean: save the model by "
            'booster.save_model("model.json").'
        ),
        "xgboost.version": (
            "The file is of XGBoost {version!s:.20}, of which nobody knows here what it means: versions up to "
            "{newest} are read. Save the model by one of those."
        ),
        "xgboost.without_trees": "The booster {booster!r:.40} has no trees; gbtree and dart have.",
        "names_of_features": "The file names {n_names} features of {n_features}: it is damaged.",
        "xgboost.vectors": (
            "The leaves of the tree hold vectors (multi_strategy='multi_output_tree'); a tree here predicts one "
            "output. Train with multi_strategy='one_output_per_tree'."
        ),
        "xgboost.arrays": "The arrays of a tree have different lengths: the file is damaged.",
        "xgboost.nodes": "A tree without nodes, or with a feature that the model does not have: it is damaged.",
        "xgboost.not_numbers": "A tree has thresholds or leaves that are no numbers: the file is damaged.",
        "xgboost.codes_of_categories": (
            "A tree compares the codes of categories with a threshold, which has no form here."
        ),
        "lightgbm.accepted": "a fitted LGBMClassifier, LGBMRegressor or Booster",
        "lightgbm.file": "The text of a LightGBM model",
        "lightgbm.not_text": "The file is not UTF-8 text, as models of LightGBM are.",
        "lightgbm.not_a_model": (
            "The file is no text of a LightGBM model, which begins with the line 'tree'. Dumps in JSON are not read: "
            'save it by booster.save_model("model.txt").'
        ),
        "lightgbm.version": (
            "The file is of version {version:.20} of LightGBM's text, and nobody knows here what that means: "
            "{versions:comma} are read."
        ),
        "lightgbm.averages": (
            "The {model} averages the leaves of its {n_trees:,} trees: one of them alone predicts a margin."
        ),
        "lightgbm.linear_leaves": (
            "The leaves of the tree hold linear models (linear_tree=true); a leaf here predicts one number. Train "
            "without linear_tree."
        ),
        "lightgbm.no_leaf": "A tree without leaves: the file is damaged.",
        "lightgbm.unknown_feature": "A tree asks for a feature that the model does not have: the file is damaged.",
        "lightgbm.zero_as_missing": (
            "Decision {node} of the tree compares with {threshold:g}, but sends zeros, which count as missing, to the "
            "other side: that has no form here. Train without zero_as_missing."
        ),
        "lightgbm.short_array": "'{name}' of a tree must have {n} finite numbers: the file is damaged.",
        "onnx.accepted": "an ONNX model",
        "onnx.file": "The ONNX file",
        "onnx.too_large": (
            "The ONNX file has {n_bytes:,} bytes; at most {most:,} are read. Write a smaller model, such as one tree "
            "of it."
        ),
        "onnx.no_graph": "The file is no ONNX model: it has no graph.",
        "onnx.damaged": "The file is no ONNX model, or is damaged.",
        "onnx.fields_too_long": "The file is no ONNX model, or is damaged: its fields do not fit into it.",
        "onnx.ends_early": "The file is no ONNX model, or is damaged: it ends within a number.",
        "onnx.dtype": "An array of the ONNX file has the type {dtype}; trees are of floats and whole numbers.",
        "onnx.external_data": (
            "The ONNX file keeps its data in other files (external data), which are not read: save it as one file, "
            "with onnx.save(model, file, save_as_external_data=False)."
        ),
        "onnx.ensembles": (
            "The ONNX graph has {n_ensembles} tree ensembles, where one is read (TreeEnsembleClassifier or "
            "TreeEnsembleRegressor); its operators are {operators:comma}. One of version 5 (TreeEnsemble) is written "
            "for older runtimes with ai.onnx.ml 3."
        ),
        "onnx.own_ensembles": (
            "The ONNX graph has {n_ensembles} tree ensembles, where one is read (TreeEnsembleClassifier or "
            "TreeEnsembleRegressor); its operators are {operators:comma}. A model that this program wrote is opened "
            "as Tree (JSON) or Model (JSON)."
        ),
        "onnx.all_trees": "The model predicts by all of its {n_trees:,} trees together.",
        "onnx.goes_on": "The graph goes on after the tree ({operators:comma}), to predict something else.",
        "onnx.unknown_feature": (
            "A tree asks for feature {feature}, but the input has {n_columns}: the file is damaged."
        ),
        "onnx.changed_features": (
            "The graph changes the features before the trees ({operator}), which their thresholds do not know. Write "
            "the tree alone, without scalers or encoders before it."
        ),
        "onnx.inputs": (
            "The graph has the inputs {inputs:comma .80}; one table of numbers is read. Write the model with one input."
        ),
        "onnx.arrays": "The arrays of the trees have different lengths: the file is damaged.",
        "onnx.decisions": (
            "The tree has decisions {unknown:comma .80}; {modes:comma} are read, which compare with a threshold."
        ),
        "onnx.number_twice": "Two nodes of a tree have the same number: the file is damaged.",
        "onnx.roots": "A tree has {n_roots} roots: the file is damaged.",
        "onnx.nan_threshold": "A threshold of the tree is NaN: the file is damaged.",
        "onnx.lost_nodes": "Some nodes of a tree are below none: the file is damaged.",
        "onnx.unknown_class": "A leaf names a class or target that is none of the {n_classes}: the file is damaged.",
        "onnx.leaf_without_number": "A leaf of the tree predicts what is no number: the file is damaged.",
        "onnx.leaf_of_classes": "The leaves of the tree hold a number for each class; a tree here predicts one.",
        "onnx.several_outputs": (
            "The trees predict {n_outputs} outputs at once; a tree here predicts one. Write a model for each."
        ),
        "pmml.accepted": "a PMML model",
        "pmml.file": "The PMML file",
        "pmml.too_large": "The PMML file has {n_bytes:,} bytes; at most {most:,} are read.",
        "pmml.document_type": (
            "The PMML file declares a document type (DTD), which could name other files or grow without end: take the "
            "line <!DOCTYPE ...> out of it."
        ),
        "pmml.not_xml": "The file is no XML, or is damaged: {error!s:.80}.",
        "pmml.other_xml": "The file is XML of {tag!r:.40}, not PMML.",
        "pmml.no_model": "The PMML file has no TreeModel, but no model.",
        "pmml.other_model": "The PMML file has no TreeModel, but {kinds:comma .60}.",
        "pmml.joins_trees": "The file joins its {n_trees:,} trees and what stands around them ({ways:comma .60}).",
        "pmml.no_node": "A TreeModel has no node: the file is damaged.",
        "pmml.root_predicate": "The root of the tree is for some rows only, which has no form here.",
        "pmml.leaf_without_number": "Leaf {leaf} has no score: add score, a number, to its Node.",
        "pmml.too_many_nodes": "The tree has more than {most:,} nodes with two branches; no more are read.",
        "pmml.no_branch": (
            "For some values no branch below node {node} is taken, and nothing predicted then, which has no form here."
        ),
        "pmml.no_predicate": "A node of the tree has no predicate: the file is damaged.",
        "pmml.leaf_without_class": (
            "Leaf {leaf} has neither a score nor a distribution: add score, a class, to its Node, or elements "
            "ScoreDistribution."
        ),
        "pmml.cast": "castInteger={cast!r:.40} of the Target: {casts:comma} are supported.",
        "pmml.derived_twice": "The field {field!r:.60} is derived in two ways, which is not read.",
        "pmml.outliers": "The file changes outliers of {field!r:.60} before the tree, which is not read.",
        "pmml.invalid_values": (
            "invalidValueTreatment={treatment!r:.40} of {field!r:.60}: {treatments:comma} are supported."
        ),
        "pmml.no_replacement": "The field {field!r:.60} has no invalidValueReplacement: add it to its MiningField.",
        "pmml.computed_field": (
            "The field {field!r:.60} is computed ({kinds:comma .40}) before the tree decides on it. Write the tree "
            "alone, on the columns themselves."
        ),
        "pmml.unknown_field": "A decision asks for {field!r:.60}, which the file does not describe.",
        "pmml.several_columns": (
            "A decision asks for several columns at once ({fields:comma .80}); one after the other is read."
        ),
        "pmml.not_a_number": "A decision on {field!r:.60} compares with what is no finite number.",
        "pmml.compound": "A decision joins others by {operator!r:.40}; and, or, xor and surrogate are read.",
        "pmml.set_operator": "A decision on a set asks {operator!r:.40}; isIn and isNotIn are read.",
        "pmml.operator": (
            "A decision asks {operator!r:.40} of {field!r:.60}; {compared:comma} of numbers, equal and notEqual of "
            "categories are read."
        ),
        "pmml.invalid_value": (
            "Column {column!r:.60} has the value {value!r:.60}, which the file of the model calls invalid, so it "
            "predicts nothing. Remove such rows, or make the value a missing one."
        ),
        "data.numbers": (
            "The tree predicts classes, but {title} has numbers to predict: choose the data that it was grown on."
        ),
        "data.classes": (
            "The tree predicts numbers, but {title} has classes to predict: choose the data that it was grown on."
        ),
        "data.features_in_order": "Its features have no names, so they are taken in the order of the data.",
        "data.unnamed_features": (
            "The tree was grown on {n_features:,} features without names, and {title} has {n_wanted:,}: choose the "
            "data that it was grown on."
        ),
        "data.lacking_features": (
            "The tree asks for {lacking:comma 8}, which {title} does not have; its features are {features:comma 8}. "
            "Choose the data that it was grown on, or give the columns these names."
        ),
        "data.classes_in_order": "Its classes are numbers, which are taken in order: {order:comma}.",
        "data.unknown_classes": (
            "The tree predicts {unknown:comma 8}, which is no class of {title}: {classes:comma 8}. Choose the data "
            "that it was grown on."
        ),
        "data.some_features": "some features",
        "data.missing_values": (
            "{title} has missing values (in {column}), which this tree was not grown on and cannot send anywhere: "
            "choose data without them, or fill them in."
        ),
    },
)
