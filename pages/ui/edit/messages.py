"""Messages on the Edit page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.edit",
    {
        "what": (
            "Drag a line or a threshold, paint weights, change the prediction of a leaf, or prune or split a node. "
            "The stage updates immediately. Lock the nodes that you want to keep, then let TAO re-optimise the rest."
        ),
        "linear_leaves": (
            "Trees with linear leaves cannot be edited, because a linear leaf has no single prediction. "
            "Set Leaves to '{constant}' on the Tree page, or choose another tree."
        ),
        "changes.not_kept": ("The server no longer stores the changes in this link. Showing the tree as trained."),
        "node_not_here": "The node in this link does not exist in this tree. The root is selected.",
        "changes.of_another": "The changes in this link belong to another tree. Showing the tree as trained.",
        "choose_another": "Choose another tree. This tree remains available on the Rules and Explain pages.",
        "repair.works": "TAO is re-optimising the tree … Any change stops it.",
        "sample": (
            "The data are too large for the browser, so the stage counts a sample of the rows. The "
            "metrics below use all rows."
        ),
        "all_rows": (
            "The tree was trained on {n_rows:,} rows. Counts, errors and re-optimisation on this page use the {n:,} "
            "training rows of the sample."
        ),
        "few_rows": (
            "The data of this model are not available. All counts use the few rows in the model file, and TAO would "
            "optimise the tree for these rows only."
        ),
        "repair.too_many_rows": "Available for up to {most:,} training rows.",
        "repair.steps": "Replays this run one depth level at a time, with the care points of each node.",
        "repair.stopped_early": (
            "The run above stopped early. This replay continues to the end, so the last tree can differ."
        ),
        "rule.how": (
            "New split for the node: a condition and the side of the rows that meet it. Examples: age < 18 go left · "
            '2*a - 0.5*b > 3, right · colour = red go left. Put names with special characters in "quotes".'
        ),
        "rule.not_taken": "The rule was not applied. {why}",
        "restored": "Restored this tree (browser history).",
        "change.not_taken": "The change was not applied; the tree is unchanged. {why}",
        "repair.more_errors": (
            " The tree has more errors, but its objective is lower: at λ = {lam}, the smaller penalty outweighs the "
            "errors."
        ),
        "repair.time_over": " Stopped after {seconds:.0f} s at the best tree so far. Re-optimise again to continue.",
        "repair.stayed": " {node} is unchanged: {why}.",
        "repair.nothing": "TAO found no better tree ({seconds:.2f} s).",
        "repair.nothing_locked": "TAO found no better tree around the locked nodes ({seconds:.2f} s).",
        "repair.done": (
            "Re-optimised in {seconds:.2f} s: objective {before} → {after}, {loss} {loss_before} → {loss_after}, "
            "leaves {n_leaves} → {n_leaves_after}."
        ),
        "rule.taken": "Split of {node}: {rule}",
        "rule.looks_at": " (features: {names})",
        "trained": "This is the tree as trained. After a change, each metric also shows the value of this tree.",
        "moved": (
            "**{n_moved:,} {name} rows** reach another leaf. {n_predicted:,} have another prediction (now "
            "{right_noun}: {n_mended:,}, now {wrong_noun}: {n_spoilt:,})."
        ),
        "one_way": "The rule separates no rows: {rows} go {side}{why}.",
        "one_way.all_rows": "all {n} training rows of the node",
        "one_way.with_value": "all rows without a missing value",
        "one_way.range": ", because {column} is between {low} and {high}",
        "broken.monotone": (
            "The constraint Monotone features is violated at {nodes}: predictions no longer keep their order along "
            "{columns}. Undo the change, or re-optimise the rest."
        ),
        "broken.interaction": (
            "The constraint Interactions is violated at {nodes}: a decision path uses features that may not occur "
            "together. Undo the change, or re-optimise the rest."
        ),
        "broken.costs": (
            "The features of the tree cost {after:g} instead of {before:g}. Use cheaper features, or re-optimise the "
            "rest."
        ),
        "broken.leaves": "The tree has {n_leaves:count leaf}; Maximum leaves is {most}. Prune nodes.",
        "kept": (
            "Saved as {name}. Choose this tree under Tree on other pages, or add it to a comparison on the "
            "Compare page."
        ),
    },
)
