"""Error messages of `treecore.foreign`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "foreign",
    {
        "not_a_model": (
            "tree={model!r:.60}: expected a Tree or a fitted model with one tree. Supported models: "
            "treecore, scikit-learn (DecisionTree, ExtraTree, or a Pipeline or search that ends with "
            "one), XGBoost, LightGBM and ONNX."
        ),
        "not_fitted": (
            "tree={model!r:.60} is not fitted: expected a Tree or a fitted model with one tree. Supported"
            " models: treecore, scikit-learn (DecisionTree, ExtraTree, or a Pipeline or search that ends "
            "with one), XGBoost, LightGBM and ONNX."
        ),
        "other_model": (
            "tree={model!r:.60}: expected a Tree or a fitted model with one tree. A {kind} has no tree, or transforms "
            "its predictions. Pass its tree, such as model.estimator_."
        ),
        "tree.not_the_only_one": "tree={number!r:.40}: expected 0, because the model has one tree.",
        "tree.not_one_of": "tree={number!r:.40}: expected 0 to {last}, because the model has {n_trees:,} trees.",
        "tree.in_file": "Tree {number} of the {program} file",
        "all_trees": "The {model} combines the predictions of all its trees.",
        "all_weighted_trees": "The {model} combines the weighted predictions of all its trees.",
        "adds_up": "The {model} sums the leaf values of its {n_trees:,} trees, so a single tree predicts a margin.",
        "passes_on": "The {model} combines or transforms the predictions of its trees.",
        "other_class": (
            "The class {model} is not one of scikit-learn's trees and forests, so it can change the predictions of its "
            "tree."
        ),
        "other_objective": "The objective {objective!r} transforms the margin that the tree predicts.",
        "no_single_tree": "{alone} Use {one} for a single tree, or viz.forest_strip(model) for all trees.",
        "not_a_file": "model={model!r:.60}: expected {wanted}, or a path, the bytes or the text of its file.",
        "unreadable_file": "The file {file!r:.80} cannot be read: {reason}.",
        "file_too_large": "{file!r:.80} has more than {most:,} bytes, the maximum. Use a smaller file.",
        "bytes_too_many": "The file has {n_bytes:,} bytes (maximum {most:,}). Use a smaller file.",
        "nested_too_deeply": "{what} is nested too deeply.",
        "damaged": "{what} is damaged or has another format: {error!r:.80}.",
        "too_many_nodes": "The tree has {n_nodes:,} nodes (maximum {most:,}).",
        "lost_node": "The file is damaged: node {node} of the tree is missing or has two parents.",
        "columns_of_rows": "X has {n_columns} columns, but the model was trained on {expected}.",
        "lacking_columns": "X does not have the columns {lacking}. The model was trained on {names}.",
        "column_twice": "Two columns of X have the name {column!r:.60}. Rename one.",
        "category_twice": (
            "Column {column!r:.60} has two categories with the text {category!r:.60}. Rename one and retrain."
        ),
        "unknown_category": (
            "Column {column!r:.60} contains {value!r:.60}, which is not one of the categories of the model, so it "
            "makes no prediction. Remove these rows, or treat the value as missing."
        ),
        "not_a_code": (
            "Column {column!r:.60} contains {value}, which is not the code of one of its categories. Pass a DataFrame "
            "with the categories."
        ),
        "no_columns": "none",
        "other_categories": (
            "The columns {columns:comma 8} of X have the dtype category, but the model was trained on these columns of "
            "that dtype: {wanted:comma 8}. Pass X with the dtypes of the training data."
        ),
        "assumed_others": (
            "The columns {columns:comma 8} of X have the dtype category. The file does not contain the columns of its "
            "categories, which were assumed to be {wanted:comma 8}. Retrain without categorical_feature, on a table in "
            "which exactly the unordered categories have the dtype category."
        ),
        "assumed_category": (
            "The file does not contain which columns have categories, and column {column!r:.60} contains numbers. Pass "
            "a DataFrame in which this column has the dtype category, as in training."
        ),
        "codes_of_categories": (
            "Column {column!r:.60} is compared with thresholds on category codes, which is not supported. Retrain on a "
            "0/1 column for each category."
        ),
        "not_a_number": "Column {column!r} contains a value that is not a number: {error}.",
        "one_class": "The model was trained on a single class ({label!s:.40}). Train it on at least two classes.",
        "no_tree": "The model has no tree. Train it first.",
        "steps_before_model": (
            "The pipeline transforms the features before the {program} model, which cannot be "
            "represented. Pass pipeline[-1], with rows transformed by pipeline[:-1].transform(X)."
        ),
        "step_without_form": (
            "The pipeline step {step} cannot be folded into the thresholds of the tree. Supported steps: "
            "{scalers:comma}. Pass pipeline[-1], with rows transformed by pipeline[:-1].transform(X)."
        ),
        "scaled_singles": (
            "X has float32 values, which the scalers of the pipeline round. Pass X.astype(numpy.float64) to the tree "
            "and to the pipeline."
        ),
        "scaled_sum": (
            "Node {node} uses {n_features} features, so folding the scaler into its weights would change "
            "rounding. Pass pipeline[-1] with rows transformed by pipeline[:-1], or train without a "
            "scaler (TAO estimators scale internally)."
        ),
        "sklearn.accepted": "a fitted scikit-learn tree",
        "sklearn.not_a_tree": (
            "model={kind}: expected a fitted scikit-learn DecisionTree, ExtraTree, forest or boosted "
            "trees, or a pipeline that ends with one."
        ),
        "sklearn.several_outputs": (
            "The tree predicts {n_outputs} outputs, but only one is supported. Fit one tree per output."
        ),
        "sklearn.not_a_forest": (
            "The {kind} has no trees, or contains other models. Only forests of trees are supported."
        ),
        "sklearn.joins_models": (
            "The {kind} combines models in a way that is not supported. Pass one of its trees, such as "
            "model.estimators_[0], with the features and labels that it was trained on."
        ),
        "sklearn.other_classes": (
            "The trees of the {kind} predict other classes than the {kind}. Pass one of its trees, such as "
            "model.estimators_[0]."
        ),
        "sklearn.leaves_predict_nothing": (
            "{kind} is not supported, because its trees are random and their leaves have no predictions."
        ),
        "sklearn.columns_by_tree": (
            "The trees of {kind} use different columns. Pass one of its estimators_, with the columns in "
            "estimators_features_."
        ),
        "sklearn.first_guess": (
            "The {model} sums an initial prediction and the leaf values of its {n_trees:,} trees, so a "
            "single tree predicts a margin."
        ),
        "sklearn.sets_of_categories": (
            "The file does not contain the names of the categories. Pass the fitted model, or retrain without "
            "categorical_features, on a 0/1 column for each category (OneHotEncoder)."
        ),
        "sklearn.scaled_categories": (
            "Categories after a scaler are not supported. Retrain without the scaler, which these trees do not need."
        ),
        "sklearn.arrays": "The file is damaged: the arrays of a tree do not match.",
        "skops.file": "The skops file",
        "skops.too_large": "The skops file unpacks to more than {most:,} bytes, the maximum. Use a smaller model.",
        "skops.version": (
            "Unsupported skops protocol {version!s:.20} (latest supported: {newest}). Save the model with"
            " an older version of skops."
        ),
        "skops.no_learning_rate": "The skops file is damaged: a boosting model has no learning_rate.",
        "skops.nested_too_deeply": "The skops file is nested too deeply for a model.",
        "skops.damaged": "The skops file is damaged: {error!s:.80}.",
        "skops.short_array": "The skops file is damaged: an array is shorter or longer than declared.",
        "skops.arrays": "The skops file is damaged: the arrays of a tree do not match.",
        "xgboost.accepted": "a fitted XGBClassifier, XGBRegressor or Booster",
        "xgboost.file": "The XGBoost JSON file",
        "xgboost.not_json": (
            "Not an XGBoost JSON model. UBJSON files and text dumps are not supported. Save the model "
            'with booster.save_model("model.json").'
        ),
        "xgboost.dump": (
            "XGBoost dumps (dump_model) are not supported, because they are incomplete. Save the model "
            'with booster.save_model("model.json").'
        ),
        "xgboost.version": (
            "Unsupported XGBoost version {version!s:.20} (latest supported: {newest}). Save the model "
            "with a supported version."
        ),
        "xgboost.without_trees": "The booster {booster!r:.40} has no trees. Use the booster gbtree or dart.",
        "names_of_features": "The file is damaged: it names {n_names} of {n_features} features.",
        "xgboost.vectors": (
            "Vector leaves (multi_strategy='multi_output_tree') are not supported. Retrain with "
            "multi_strategy='one_output_per_tree'."
        ),
        "xgboost.arrays": "The file is damaged: the arrays of a tree have different lengths.",
        "xgboost.nodes": "The file is damaged: a tree has no nodes, or uses a feature that the model does not have.",
        "xgboost.not_numbers": "The file is damaged: a threshold or leaf value is not a number.",
        "xgboost.all_rounds": (
            "Early stopping kept 1 of {n_trees:,} trees. An XGBModel uses this tree, but a Booster uses all trees."
        ),
        "lightgbm.accepted": "a fitted LGBMClassifier, LGBMRegressor or Booster",
        "lightgbm.file": "The LightGBM text file",
        "lightgbm.not_text": "The file is not UTF-8 text, the format of LightGBM models.",
        "lightgbm.not_a_model": (
            "Not a LightGBM text model (its first line must be 'tree'). JSON dumps are not supported. "
            'Save the model with booster.save_model("model.txt").'
        ),
        "lightgbm.version": (
            "Unsupported LightGBM model version {version:.20}. Supported: {versions:comma}. Save the "
            "model with a supported version."
        ),
        "lightgbm.averages": (
            "The {model} averages the leaf values of its {n_trees:,} trees, so a single tree predicts a margin."
        ),
        "lightgbm.categories": (
            "The model was trained on {n_columns:count column} of dtype category, and the file does not contain which "
            "of {names:comma 8} they are. Retrain without categorical_feature, on a table in which exactly the "
            "unordered categories have the dtype category."
        ),
        "lightgbm.assumed": (
            "The file contains categories, but not their columns. They are assumed to belong to the columns "
            "{assumed:comma 8}, which is right unless the model was trained with categorical_feature. Check the names."
        ),
        "lightgbm.linear_leaves": (
            "LightGBM trees with linear leaves (linear_tree=true) are not supported. Retrain without linear_tree."
        ),
        "lightgbm.no_leaf": "The file is damaged: a tree has no leaves.",
        "lightgbm.unknown_feature": "The file is damaged: a tree uses a feature that the model does not have.",
        "lightgbm.zero_as_missing": (
            "Node {node} sends zeros to a different child than its threshold {threshold:g} does "
            "(zero_as_missing=True), which cannot be represented. Retrain with zero_as_missing=False."
        ),
        "lightgbm.short_array": "The file is damaged: '{name}' of a tree must have {n} finite numbers.",
        "onnx.accepted": "an ONNX model",
        "onnx.file": "The ONNX file",
        "onnx.too_large": (
            "The ONNX file has {n_bytes:,} bytes (maximum {most:,}). Save a smaller model, such as a single tree."
        ),
        "onnx.no_graph": "The file is not an ONNX model: it has no graph.",
        "onnx.damaged": "The file is not an ONNX model, or is damaged.",
        "onnx.fields_too_long": "The file is not an ONNX model, or is damaged: a field is longer than the file.",
        "onnx.ends_early": "The file is not an ONNX model, or is damaged: it ends within a number.",
        "onnx.dtype": "Unsupported type {dtype} of an array in the ONNX file. Supported: floats and integers.",
        "onnx.external_data": (
            "ONNX external data is not supported. Save a single file with onnx.save(model, path, "
            "save_as_external_data=False)."
        ),
        "onnx.ensembles": (
            "The ONNX graph has {n_ensembles} tree ensembles: expected one TreeEnsembleClassifier or "
            "TreeEnsembleRegressor. Its operators: {operators:comma}. Export a TreeEnsemble (version 5) "
            "with ai.onnx.ml 3 instead."
        ),
        "onnx.own_without_tree": (
            "The ONNX file does not contain the tree, because an older version exported it or the tree is too large. "
            "Open the model as Tree (JSON) or Model (JSON)."
        ),
        "onnx.own_changed": (
            "The ONNX graph was changed after treecore exported it, so the tree in the file can be another one. Export "
            "the tree again."
        ),
        "onnx.input_type": (
            "Unsupported type {kind} of the input in the ONNX file. Supported: float, double, int32 and int64."
        ),
        "onnx.transform": (
            "post_transform={transform!r:.40} of a single tree is not supported. Export the tree without it."
        ),
        "onnx.base_values": (
            "The ONNX tree has {n_base} base values: expected none or {n_outputs}. Export the tree without base values."
        ),
        "onnx.aggregate": "The file is damaged: aggregate_function={function!r:.40}.",
        "onnx.entries_twice": (
            "A leaf has two numbers for the same output, which runtimes add or replace. Export one number per leaf."
        ),
        "onnx.leaf_without_entry": (
            "A leaf has no number, for which runtimes predict different numbers. Export a number for each leaf."
        ),
        "onnx.two_classes": (
            "The tree of two classes has class ids {ids:comma}, for which runtimes predict different classes. Export "
            "one number per leaf, the probability of the second class, with class id 0."
        ),
        "onnx.negative_scores": (
            "A leaf has negative scores and lacks classes, for which runtimes predict different classes. Export a "
            "score for each class."
        ),
        "onnx.no_shares": (
            "The scores of a leaf are not probabilities. Export probabilities, or margins with "
            "post_transform='LOGISTIC' or 'SOFTMAX'."
        ),
        "onnx.all_trees": "The model combines the predictions of all its {n_trees:,} trees.",
        "onnx.goes_on": (
            "The graph has further operators after the tree ({operators:comma}), which change its predictions."
        ),
        "onnx.unknown_feature": "The file is damaged: a tree uses feature {feature}, but the input has {n_columns}.",
        "onnx.changed_features": (
            "The graph transforms the features before the trees ({operator}), which is not supported. "
            "Export the tree without scalers and encoders."
        ),
        "onnx.inputs": (
            "The graph has the inputs {inputs:comma .80}, but one table of numbers is supported. Export "
            "the model with one input."
        ),
        "onnx.arrays": "The file is damaged: the arrays of the trees have different lengths.",
        "onnx.decisions": "Unsupported splits {unknown:comma .80} in the tree. Supported: {modes:comma}.",
        "onnx.number_twice": "The file is damaged: two nodes of a tree have the same number.",
        "onnx.roots": "The file is damaged: a tree has {n_roots} roots.",
        "onnx.nan_threshold": "The file is damaged: a threshold of the tree is NaN.",
        "onnx.lost_nodes": "The file is damaged: a node of a tree has no parent.",
        "onnx.unknown_class": "The file is damaged: the class or output of a leaf is not one of the {n_classes}.",
        "onnx.leaf_without_number": "The file is damaged: the prediction of a leaf is not a number.",
        "onnx.leaf_of_classes": (
            "Leaves with one number per class are not supported. Export a tree with one number per leaf."
        ),
        "onnx.several_outputs": (
            "The trees predict {n_outputs} outputs, but only one is supported. Export one model per output."
        ),
        "pmml.accepted": "a PMML model",
        "pmml.file": "The PMML file",
        "pmml.too_large": "The PMML file has {n_bytes:,} bytes (maximum {most:,}). Save a smaller model.",
        "pmml.document_type": (
            "The PMML file declares a document type (DTD), which is not supported for security. Remove "
            "the line <!DOCTYPE ...>."
        ),
        "pmml.not_xml": "The file is not XML, or is damaged: {error!s:.80}.",
        "pmml.other_xml": "The file is XML with the root element {tag!r:.40}, not PMML.",
        "pmml.no_model": "The PMML file contains no model. Supported: TreeModel.",
        "pmml.other_model": "The PMML file contains {kinds:comma .60}, which is not supported. Supported: TreeModel.",
        "pmml.joins_trees": "The model combines its {n_trees:,} trees with other elements ({ways:comma .60}).",
        "pmml.no_node": "The file is damaged: a TreeModel has no node.",
        "pmml.root_predicate": "The root node has a predicate. Only trees whose root accepts every row are supported.",
        "pmml.leaf_without_number": "Leaf {leaf} has no score. Add a number as the score of its Node.",
        "pmml.too_many_nodes": "The tree has more than {most:,} decision nodes, the maximum.",
        "pmml.no_branch": (
            "For some values, no child of node {node} applies and the tree makes no prediction, which is not supported."
        ),
        "pmml.uncovered": (
            "The file makes no prediction for some categories of {fields:comma 8}, because no predicate contains them. "
            "The tree sends them to the last child."
        ),
        "pmml.no_prediction": (
            "The file makes no prediction for {n_rows:count row} (first: {row}), because no predicate contains a "
            "category of {fields:comma 8}. Remove these rows, or add noTrueChildStrategy='returnLastPrediction' to the "
            "file."
        ),
        "pmml.missing_values": (
            "X contains missing values, and for some missing values the file makes no prediction that a tree can have "
            "(missingValueStrategy={strategy!r}). Fill or remove these values, or write the file with "
            "missingValueStrategy='defaultChild' or 'lastPrediction'."
        ),
        "pmml.needs_value": (
            "Column {column!r:.60} contains missing values, which the model declares invalid, so it makes no "
            "prediction. Fill these values, or remove the rows."
        ),
        "pmml.not_scorable": (
            "The TreeModel has isScorable='false' or contains other models in its nodes, so it does not make the "
            "predictions. Supported: TreeModel with scores in its nodes."
        ),
        "pmml.function": "functionName={function!r:.40} of the TreeModel: expected one of {functions:comma}.",
        "pmml.choice": "{name}={value!r:.40} of the TreeModel: expected one of {choices:comma}.",
        "pmml.no_type": "The field {field!r:.60} has no optype and no dataType. Add them to its DataField.",
        "pmml.no_predicate": "The file is damaged: a node of the tree has no predicate.",
        "pmml.leaf_without_class": (
            "Leaf {leaf} has no score and no distribution. Add a class as the score of its Node, or add "
            "ScoreDistribution elements."
        ),
        "pmml.cast": "castInteger={cast!r:.40} of the Target: expected one of {casts:comma}.",
        "pmml.derived_twice": "The field {field!r:.60} is derived twice, which is not supported.",
        "pmml.outliers": "Outlier treatment of field {field!r:.60} is not supported. Export the PMML model without it.",
        "pmml.invalid_values": (
            "invalidValueTreatment={treatment!r:.40} of field {field!r:.60}: expected one of {treatments:comma}."
        ),
        "pmml.no_replacement": "The field {field!r:.60} has no invalidValueReplacement. Add it to its MiningField.",
        "pmml.computed_field": (
            "The derived field {field!r:.60} ({kinds:comma .40}) is not supported. Export the tree on the"
            " original columns."
        ),
        "pmml.unknown_field": "A predicate uses the field {field!r:.60}, which the file does not declare.",
        "pmml.several_columns": (
            "A predicate uses several fields ({fields:comma .80}). Only one field per predicate is supported."
        ),
        "pmml.not_a_number": "Invalid PMML: the predicate on field {field!r:.60} compares with a non-finite value.",
        "pmml.compound": (
            "Unsupported operator {operator!r:.40} in a compound predicate. Supported: and, or, xor, surrogate."
        ),
        "pmml.set_operator": "Unsupported operator {operator!r:.40} in a set predicate. Supported: isIn, isNotIn.",
        "pmml.operator": (
            "Unsupported operator {operator!r:.40} on field {field!r:.60}. Supported: {compared:comma} "
            "for numbers, equal and notEqual for categories."
        ),
        "pmml.invalid_value": (
            "Column {column!r:.60} contains {value!r:.60}, which the model declares invalid, so it makes "
            "no prediction. Remove these rows, or treat the value as missing."
        ),
        "data.numbers": (
            "The tree is a classification tree, but the target of {title} is numeric. Choose the data "
            "that the tree was trained on."
        ),
        "data.classes": (
            "The tree is a regression tree, but the target of {title} has classes. Choose the data that "
            "the tree was trained on."
        ),
        "data.features_in_order": (
            "The features of the tree have no names, so the columns of the data are used in order."
        ),
        "data.unnamed_features": (
            "The tree was trained on {n_features:,} features without names, but {title} has {n_wanted:,}."
            " Choose the data that the tree was trained on."
        ),
        "data.lacking_features": (
            "The tree uses {lacking:comma 8}, but {title} does not have them. Its features: "
            "{features:comma 8}. Choose the data that the tree was trained on, or rename the columns."
        ),
        "data.classes_in_order": "The classes of the tree are numbers, so they are matched in order: {order:comma}.",
        "data.unknown_classes": (
            "The tree predicts {unknown:comma 8}, but the classes of {title} are {classes:comma 8}. "
            "Choose the data that the tree was trained on."
        ),
        "data.unknown_categories": (
            "The tree does not know the categories {unknown:comma 8}. The program that trained it can send them to "
            "another leaf."
        ),
        "data.some_features": "some features",
        "data.missing_values": (
            "{title} has missing values (in {column}), but the tree does not contain where they go: it was trained "
            "without missing values, or its file makes no prediction for them. Choose data without them, or fill them."
        ),
    },
)
