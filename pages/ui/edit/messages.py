"""Sentences on the Edit page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.edit",
    {
        "what": (
            "Drag a line or a threshold, paint weights, change what a leaf predicts, cut or split a node: the "
            "stage shows at once where the rows go. Lock what you want to keep, then let TAO re-optimise the "
            "rest."
        ),
        "linear_leaves": (
            "A tree whose leaves are linear models cannot be changed by hand, since no leaf has a single answer "
            "to change. Choose “{constant}” under Leaves on the Tree page, or another tree in the side bar."
        ),
        "changes.not_kept": "The changes that this link names are not kept here: this is the tree as it was trained.",
        "node_not_here": "This link selects a node that this tree does not have; the root is selected.",
        "changes.of_another": (
            "The changes that this link names are of another tree than this one, which is as it was trained."
        ),
        "choose_another": "Choose another tree in the side bar; the pages Rules and Explain show this one.",
        "repair.works": "TAO repairs the rest … What is changed meanwhile ends that.",
        "sample": (
            "These data are too many for the browser, so the stage counts a sample of the rows; the figures "
            "below are of all rows."
        ),
        "few_rows": (
            "The data of this model are not here, so every count is of the few rows in its file, and TAO would "
            "repair the tree for these rows only."
        ),
        "repair.how": (
            "Run TAO with the locked nodes kept as they are; the rest is improved, and what no row needs goes."
        ),
        "no_lock": "No node is locked: TAO may change everything.",
        "repair.too_many_rows": "Only with up to {most:,} training rows.",
        "repair.steps": (
            "The same run again: one depth level of one pass at a time, with the points that each node cares about."
        ),
        "repair.stopped_early": (
            "The repair above was stopped early; this one goes on to its end, so its last tree may be another."
        ),
        "rule.how": (
            "A decision in words: a feature or a weighted sum of features compared with a number, or a category, "
            "and where such rows go. For example: age < 18 go left · 2*a - 0.5*b > 3, right · colour = red go "
            'left. Names with signs in them go in "quotes" or `backticks`. On a decision the rule takes its '
            "place; a leaf is split by it."
        ),
        "rule.not_taken": "The rule was not taken. {why}",
        "restored": "Back or Forward restored this tree.",
        "change.not_taken": "The change was not taken, the tree is as it was before. {why}",
        "repair.more_errors": " More errors, yet better: at λ = {lam} what was saved on decisions is worth more.",
        "repair.time_over": " Stopped after {seconds:.0f} s, with the best tree so far: re-optimise again to go on.",
        "repair.stayed": " {node} stayed as it is: {why}.",
        "repair.nothing": "Nothing to improve around the {what} ({seconds:.2f} s).",
        "repair.done": (
            "Re-optimised in {seconds:.2f} s: objective {before} → {after}, {loss} {loss_before} → {loss_after}, "
            "leaves {n_leaves} → {n_leaves_after}."
        ),
        "rule.taken": "{node} decides by the rule now: {rule}",
        "rule.looks_at": " (it looks at: {names})",
        "undone": "The tree is as it was before the changes.",
        "trained": "The tree is as it was trained. The figures here follow every change, with what it was before.",
        "moved": (
            "**Of the {name} rows** {n_moved:,} end in another leaf, {n_predicted:,} are predicted otherwise: "
            "{n_mended:,} {right_noun} now, {n_spoilt:,} {wrong_noun} now."
        ),
        "one_way": "The rule tells nothing apart: {rows} go {side}{why}.",
        "one_way.all_rows": "all {n} training rows there",
        "one_way.with_value": "all rows with a value",
        "one_way.range": ", as {column} lies between {low} and {high}",
        "kept": "Kept as {name}: choose it under Tree on pages of one tree, or beside others on Compare.",
    },
)
