"""Error messages of `treecore.tree`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "tree",
    {
        "no_node": "The tree has no nodes. It needs at least a root.",
        "one_entry_per_node": "'{name}' must have one entry for each of the {n_nodes} nodes.",
        "indptr.length": "'indptr' must have {n} entries.",
        "classes.labels": "'classes' must be a list of class labels.",
        "classes.twice": "'classes' contains a class twice.",
        "values.shape": "'values' must have shape ({n_nodes}, {width}).",
        "missing_right.length": "'missing_right' must have one entry for each node.",
        "quantiles.shape": "'feature_quantiles' must have shape {shape}.",
        "quantiles.rising": "'feature_quantiles' must be increasing numbers.",
        "weights.length": "'features' and 'weights' must have the same length.",
        "indptr.rising": "'indptr' must increase from 0 to the number of weights.",
        "n_features": "n_features={n_features}: expected at least 1.",
        "feature_names.length": "'feature_names' must name every feature.",
        "features.range": "'features' must lie in [0, {n_features}).",
        "features.increasing": "The features of a node must increase.",
        "not_finite": "Weights, biases and values must be finite.",
        "negative": "Counts and variances must not be negative.",
        "one_child": "A node must have two children, or none (-1, -1).",
        "leaf_with_weights": "A leaf must not have weights.",
        "children_first": "Children must come after their parent (no cycles).",
        "parents": "Every node except the root must have exactly one parent.",
        "labels.range": "'labels' must lie in [0, {n_classes}).",
        "origin": "'origin' ids must be unique and not negative.",
        "leaf_without_weight": "'values' must contain the weight of the training points of every leaf.",
        "linear.scores": "The linear leaves must have {n_scores} scores for each of {n_nodes} nodes.",
        "linear.features": "The features of linear leaves must lie in [0, {n_features}).",
        "linear.decision": "Only leaves can have linear models with weights.",
        "linear.bias": "Invalid linear leaves: each node must have one bias.",
        "linear.weights": "Invalid linear leaves: each feature and score must have a weight.",
        "linear.indptr": "Invalid linear leaves: 'indptr' must increase from 0 to the number of features.",
        "linear.increasing": "Invalid linear leaves: the features of a node must increase.",
        "linear.not_finite": "Invalid linear leaves: '{name}' must be finite.",
        "linear.negative": "Invalid linear leaves: 'losses' must not be negative.",
        "linear.outputs": "An operation that needs a single prediction per leaf",
        "linear.shares": "An operation that needs the class probabilities of a leaf",
        "linear.importances": "Feature importance by impurity decrease",
        "linear.sklearn": "Conversion to scikit-learn",
        "linear.edit": "Editing",
        "linear.place": "Use with another data set",
        "linear.recording": "Recording",
        "linear.sizes": "size_path",
        "linear.critical": "lams='critical'",
        "linear.refine": "refine",
        "linear.shrinkage": "shrinkage",
        "linear.block": "block",
        "linear.missing": "missing='learn'",
        "linear.refused": "{what} does not support linear leaves. Train with leaf='constant'.",
        "file.not_text": "The file is not UTF-8 text. Open a .json file saved by this program.",
        "file.too_large": "The file has {n_characters} characters (maximum {most}).",
        "file.nested_too_deeply": "The file is nested too deeply for a tree.",
        "file.not_json": "The file is not JSON, or is incomplete: {error}.",
        "file.not_finite": "The file contains {constant}. Only finite numbers are supported.",
        "file.not_a_tree": "The file is not a tree. Expected a JSON object with format '{format}'.",
        "file.version": "Unsupported tree file version {version!r} (latest supported: {newest}).",
        "file.not_an_object": "The {what} must be an object, not {kind}.",
        "file.missing_keys": "The {what} has no {missing:list}.",
        "file.unknown_keys": "The {what} has the unsupported keys {unknown:list}.",
        "file.other_keys": "The {what} has no {missing:list}, and has the unsupported keys {unknown:list}.",
        "file.n_features": "n_features={n_features!r}: expected a whole number >= 1.",
        "file.too_many_features": "The tree has {n_features} features (maximum {most}).",
        "file.feature_names": "'feature_names' must be null or a list of strings.",
        "file.missing_right": "'missing_right' must be null or a list of true and false.",
        "file.quantiles": (
            "'feature_quantiles' must be null or contain {n_quantiles} numbers for each feature that the tree uses."
        ),
        "file.quantiles_of": (
            "'feature_quantiles' must be null or contain {n} numbers for each feature that the tree uses,"
            " but contains feature {feature!r:.20}."
        ),
        "file.numbers": "'{name}' must contain only numbers.",
        "file.whole_numbers": "'{name}' must contain only whole numbers.",
        "file.not_a_list": "'{name}' must be a list of numbers, not {kind}.",
        "file.too_many_entries": "'{name}' has {n_entries} entries (maximum {most} nodes).",
        "file.too_large_number": "'{name}' contains a number that is too large.",
        "file.index": "'{name}' contains an index that is out of range.",
        "file.not_lists": "'{name}' must be a list of lists of numbers.",
        "file.unequal_lists": "The lists in '{name}' must have equal lengths.",
        "file.linear": "'linear' must be null or contain {names:comma}.",
        "file.linear_index": "'features' of 'linear' contains an index that is out of range.",
        "file.classes": "'classes' must contain 'dtype' and 'labels'.",
        "file.dtype": "Unsupported class dtype {dtype!r:.60}. Supported: numbers, booleans and strings.",
        "file.unknown_dtype": "Unknown class dtype {dtype!r}.",
        "file.labels": "The class labels must be a list of {kind}.",
        "file.label_too_large": "A class label is out of range for {dtype}.",
        "file.label_not_finite": "A class label is not a finite number of {dtype}.",
        "rows.not_numbers": "X contains a value that is not a number ({error}). Pass numeric columns only.",
        "rows.dtype": "X has dtype {dtype}: expected numbers. Encode text columns first.",
        "rows.dimensions": (
            "X has {n:count dimension}: expected 2 (rows and features). Use X.reshape(1, -1) for one row,"
            " X.reshape(-1, 1) for one feature."
        ),
        "rows.n_features": "X has {n_features} features, but the tree was trained on {expected}.",
        "rows.lacking": (
            "X does not have the columns {lacking:literals} of the tree. Its columns are {own:literals}. Rename them, "
            "or pass X.to_numpy() to match columns by position."
        ),
        "rows.twice": "X has several columns {column!r}. Remove or rename all but one.",
        "rows.infinity": "X contains infinite values. Fill or remove these values (use NaN for missing values).",
        "rows.missing": (
            "X contains NaN or infinite values. Fill or remove these values, or train with missing='learn' (supports "
            "NaN only). An imported tree supports NaN if its file contains where NaN goes at each split."
        ),
        "rows.several": "x has {n_rows} rows, but decision_path supports one row. Call it for each row.",
        "wanted.range": "above and below apply to regression trees only. Pass a class as target.",
        "wanted.label": "target={label!r}: expected a class of the tree: {classes}.",
        "quantity.probabilities": "A regression tree has no class probabilities. Use predict.",
        "quantity.class_weights": "Class weights do not apply to regression.",
        "sklearn.several_features": (
            "Node {node} uses {n_features} features, but scikit-learn trees support one feature per node."
            ' Train with split="univariate".'
        ),
        "sklearn.other_label": (
            "Leaf {leaf} predicts {label!s:.60}, which is not the majority class of its training points. "
            "scikit-learn trees always predict the majority class. Remove the edit or the threshold that "
            "changed the label."
        ),
        "edit.not_a_tree": "The tree must be an object with a list 'nodes'.",
        "edit.too_many_nodes": "The tree has {n_nodes} nodes (maximum {most} for editing).",
        "edit.not_an_object": "Entry {place} of 'nodes' is not an object.",
        "edit.id": "Entry {place} of 'nodes' has the id {id!r:.60}: expected a whole number from 0 to 2**53 - 1.",
        "edit.unknown_field": "Node {node} has the unsupported field {field:literals .60}.",
        "edit.missing_field": "Node {node} has no field {field:literals}.",
        "edit.not_true_or_false": "Node {node}: {field}={value!r:.60}: expected true or false.",
        "edit.not_an_id": "Node {node} has {child!r:.60} on its {side}: expected the id of a node.",
        "edit.weight": "A weight of node {node} is {value!r:.60}: expected a number of at most {most:g}.",
        "edit.bias": "The bias of node {node} is {value!r:.60}: expected a number of at most {most:g}.",
        "edit.predicted": "The prediction of node {node} is {value!r:.60}: expected a number of at most {most:g}.",
        "edit.one_child": "Node {node} has one child. A decision node must have two children, and a leaf none.",
        "edit.unknown_class": (
            "Node {node} predicts class {label!r:.60}: expected one of the class numbers {classes:literals 8}."
        ),
        "edit.not_a_list": "Node {node}: {field} must be a list.",
        "edit.weights": (
            "Node {node} has {n_features} features but {n_weights} weights. Pass one weight for each feature."
        ),
        "edit.unknown_feature": (
            "Node {node} uses feature {feature!r:.60}: expected a whole number >= 0 and < {n_features}."
        ),
        "edit.feature_twice": "Node {node} uses a feature twice.",
        "edit.missing_right": (
            "Node {node} sends missing values to the right, but the tree was trained without missing values."
        ),
        "edit.id_twice": "Two nodes have the id {node}.",
        "edit.lost_child": "Node {node} has the child {child!r:.60}, which does not exist.",
        "edit.two_parents": "Node {child} has two parents, or is both children of one node.",
        "edit.circle": "The nodes form a cycle, so the tree has no root.",
        "edit.roots": "The nodes {nodes:literals 8} have no parent. A tree has one root.",
        "edit.other_circle": "{n_nodes} nodes form a cycle that is not connected to the root.",
        "edit.rows": (
            "X has {n_rows} rows and y has {n_labels}. Pass X and y with the same number of rows, at least one."
        ),
        "edit.infinity": "y contains infinite or missing values. Remove these rows.",
        "edit.weights_of_rows": "sample_weight: expected one finite number >= 0 for each row, and at least one > 0.",
        "edit.unknown_label": (
            "y contains the class {label!r:.60}, which is not a class of the tree: {classes:literals 8}."
        ),
    },
)
