"""Sentences of errors of `treecore.tree`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "tree",
    {
        "no_node": "The tree has no node; it needs at least a root.",
        "one_entry_per_node": "'{name}' must have one entry for each of the {n_nodes} nodes.",
        "indptr.length": "'indptr' must have {n} entries.",
        "classes.labels": "'classes' must be a list of class labels.",
        "classes.twice": "'classes' lists a class twice.",
        "values.shape": "'values' must have shape ({n_nodes}, {width}).",
        "missing_right.length": "'missing_right' must have one per node.",
        "quantiles.shape": "'feature_quantiles' must have shape {shape}.",
        "quantiles.rising": "'feature_quantiles' must be rising numbers.",
        "weights.length": "'features' and 'weights' must match.",
        "indptr.rising": "'indptr' must rise from 0 to the number of weights.",
        "n_features": "n_features={n_features}: a tree needs at least one feature.",
        "feature_names.length": "'feature_names' must name every feature.",
        "features.range": "'features' must lie in [0, {n_features}).",
        "features.increasing": "the features of a node must increase.",
        "not_finite": "weights, biases and values must be finite.",
        "negative": "counts and variances must not be negative.",
        "one_child": "a node has two children or none (-1, -1).",
        "leaf_with_weights": "a leaf must not have weights.",
        "children_first": "children must come after their parent (no cycles).",
        "parents": "every node but the root needs exactly one parent.",
        "labels.range": "'labels' must lie in [0, {n_classes}).",
        "origin": "'origin' ids must be unique and not negative.",
        "leaf_without_weight": "every leaf needs the weight of its training points in 'values'.",
        "linear.scores": "the linear leaves must have {n_scores} scores for each of {n_nodes} nodes.",
        "linear.features": "the features of linear leaves must lie in [0, {n_features}).",
        "linear.decision": "only leaves have linear models with weights.",
        "linear.bias": "The linear leaves do not fit together: one bias a node.",
        "linear.weights": "The linear leaves do not fit together: a weight for each feature and score.",
        "linear.indptr": "The linear leaves do not fit together: 'indptr' must rise from 0 to the number of features.",
        "linear.increasing": "The linear leaves do not fit together: the features of a node must increase.",
        "linear.not_finite": "The linear leaves do not fit together: '{name}' must be finite.",
        "linear.negative": "The linear leaves do not fit together: 'losses' must not be negative.",
        "linear.outputs": "What is asked for (the one answer of a leaf)",
        "linear.shares": "What asks for the class shares of a leaf",
        "linear.importances": "An importance by what the decisions gain",
        "linear.sklearn": "A tree of scikit-learn",
        "linear.edit": "Editing by hand",
        "linear.place": "Another set of data",
        "linear.recording": "A recording",
        "linear.critical": "lams='critical'",
        "linear.refine": "refine",
        "linear.shrinkage": "shrinkage",
        "linear.missing": "missing='learn'",
        "linear.refused": (
            "{what} needs leaves that predict one value, and these are linear models (leaf='linear'), whose answer "
            "changes with the row: use predict, or train with leaf='constant'."
        ),
        "file.not_text": "The file is not UTF-8 text; load a .json file that this program wrote.",
        "file.too_large": "The file has {n_characters} characters; at most {most} are read.",
        "file.nested_too_deeply": "The file is nested too deeply to be a tree.",
        "file.not_json": "The file is not JSON, or its end is missing: {error}.",
        "file.not_finite": "The file holds {constant}; only finite numbers are allowed.",
        "file.not_a_tree": "The file is not a tree: it must be a JSON object with format '{format}'.",
        "file.version": "Tree file version {version!r}: this program reads up to {newest}.",
        "file.not_an_object": "The {what} must be an object, not {kind}.",
        "file.missing_keys": "The {what} lacks {missing:list}.",
        "file.unknown_keys": "The {what} has {unknown:list}, which this program does not know.",
        "file.other_keys": "The {what} lacks {missing:list} and has {unknown:list}, which this program does not know.",
        "file.n_features": "n_features={n_features!r}: a whole number >= 1 is needed.",
        "file.too_many_features": "The tree has {n_features} features; at most {most} are read.",
        "file.feature_names": "'feature_names' must be null or a list of strings.",
        "file.missing_right": "'missing_right' must be null or a list of true and false.",
        "file.quantiles": (
            "'feature_quantiles' must be null or hold {n_quantiles} numbers for each feature that the tree uses."
        ),
        "file.quantiles_of": (
            "'feature_quantiles' must be null or hold {n} numbers for each feature that the tree uses. It names the "
            "feature {feature!r:.20}."
        ),
        "file.numbers": "'{name}' must hold numbers only.",
        "file.whole_numbers": "'{name}' must hold whole numbers only.",
        "file.not_a_list": "'{name}' must be a list of numbers, not {kind}.",
        "file.too_many_entries": "'{name}' has {n_entries} entries; at most {most} nodes are allowed.",
        "file.too_large_number": "'{name}' holds a number that is too large.",
        "file.index": "'{name}' holds a number outside the range of an index.",
        "file.not_lists": "'{name}' must be a list of lists of numbers.",
        "file.unequal_lists": "the lists in '{name}' must have equal lengths.",
        "file.linear": "'linear' must be null or hold {names:comma}.",
        "file.linear_index": "'features' of 'linear' holds a number outside the range of an index.",
        "file.classes": "'classes' must hold 'dtype' and 'labels'.",
        "file.dtype": "class dtype {dtype!r:.60}: only numbers, booleans and strings are allowed.",
        "file.unknown_dtype": "class dtype {dtype!r} is not known.",
        "file.labels": "the class labels must be a list of {kind}.",
        "file.label_too_large": "a class label does not fit into {dtype}.",
        "file.label_not_finite": "a class label is not a finite number of {dtype}.",
        "rows.not_numbers": "X holds something that is not a number ({error}); give numeric columns only.",
        "rows.dtype": "X has dtype {dtype}; give numbers (encode text columns first).",
        "rows.dimensions": (
            "X has {n:count dimension}; a table of rows and features is needed: use X.reshape(1, -1) for one point, "
            "X.reshape(-1, 1) for one feature."
        ),
        "rows.n_features": "X has {n_features} features, but the tree was trained on {expected}.",
        "rows.infinity": "X contains infinity; fill or drop those values first (NaN means missing).",
        "rows.missing": (
            "X contains NaN or infinity; fill or drop those values first, or train with missing='learn' (NaN only)."
        ),
        "rows.several": "decision_path takes one point, but x has {n_rows} rows; call it for each.",
        "wanted.range": "above and below are for trees that predict numbers; name a class as target.",
        "wanted.label": "target={label!r} is no class of the tree; its classes are {classes}.",
        "quantity.probabilities": "A regression tree predicts numbers, not classes: use predict.",
        "quantity.class_weights": "The target is a number: there are no classes to weigh, every row counts the same.",
        "sklearn.several_features": (
            "Node {node} weighs {n_features} features: a tree of scikit-learn compares one feature with a threshold. "
            'Only trees with split="univariate" have that form.'
        ),
        "sklearn.other_label": (
            "Leaf {leaf} predicts {label!s:.60}, which is not the commonest class of its training points (its label "
            "was set by hand, or by a threshold): scikit-learn predicts the commonest."
        ),
        "edit.not_a_tree": "A tree is an object with a list 'nodes'; there is none.",
        "edit.too_many_nodes": "The tree has {n_nodes} nodes; at most {most} can be edited.",
        "edit.not_an_object": "Entry {place} of 'nodes' is no object.",
        "edit.id": "Entry {place} of 'nodes' has the id {id!r:.60}; use a whole number from 0 to 2**53 - 1.",
        "edit.unknown_field": "Node {node} has a field {field:literals .60}, which no node has.",
        "edit.missing_field": "Node {node} has no {field:literals}.",
        "edit.not_true_or_false": "Node {node} has {field} = {value!r:.60}; it is true or false.",
        "edit.not_an_id": "Node {node} has {child!r:.60} on its {side}; that is no node's id.",
        "edit.weight": "A weight of node {node} is {value!r:.60}; use a number of at most {most:g}.",
        "edit.bias": "The bias of node {node} is {value!r:.60}; use a number of at most {most:g}.",
        "edit.predicted": "What node {node} predicts is {value!r:.60}; use a number of at most {most:g}.",
        "edit.one_child": "Node {node} has one child only; a node has two children, or none as a leaf.",
        "edit.unknown_class": (
            "Node {node} predicts class {label!r:.60}; the classes of the tree are numbered {classes:literals 8}."
        ),
        "edit.not_a_list": "Node {node} has {field} that are no list.",
        "edit.weights": "Node {node} has {n_features} features, but {n_weights} weights: one for each.",
        "edit.unknown_feature": "Node {node} uses feature {feature!r:.60}; there are {n_features}, numbered from 0.",
        "edit.feature_twice": "Node {node} uses a feature twice.",
        "edit.missing_right": (
            "Node {node} sends missing values to the right, but the tree was trained without missing values."
        ),
        "edit.id_twice": "Two nodes have the id {node}.",
        "edit.lost_child": "Node {node} has the child {child!r:.60}, which is not there.",
        "edit.two_parents": "Node {child} is the child of two nodes, or twice of one.",
        "edit.circle": "Every node is below another one: the tree goes round in a circle.",
        "edit.roots": "The nodes {nodes:literals 8} are below no other node; a tree has one root.",
        "edit.other_circle": "{n_nodes} nodes go round in a circle, apart from the root.",
        "edit.rows": "X has {n_rows} rows, y {n_labels}; give both for at least one row.",
        "edit.infinity": "y holds infinity or misses a number; drop such rows first.",
        "edit.weights_of_rows": "sample_weight must have one finite number >= 0 for each row, not all of them 0.",
        "edit.unknown_label": (
            "y has the class {label!r:.60}, which the tree does not know; it knows {classes:literals 8}."
        ),
    },
)
