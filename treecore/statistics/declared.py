"""`STATISTICS`: all statistics of nodes that tables, files, figures and the stage show."""

from treecore.statistics.node_statistic import ListColumn, NodeStatistic, declared

_OF_TRAINING = "{value} of the training rows"

STATISTICS = declared(
    [
        NodeStatistic(
            "rows",
            help="Number of rows that the rule covers (support)",
            formula="rows",
            form="count",
            faces={
                "rules": "{Rows}",
                "files": "{rows}",
                "text": "{number} {of_rows}",
                "table": "rows",
                "leaf": "n = {value}",
                "outline": "{value} row{s}",
            },
            column=ListColumn((6.6, 4.4), order="rows (support)"),
        ),
        NodeStatistic(
            "share",
            help="Share of the rows that the rule covers",
            formula="rows / all_rows",
            form="percent",
            faces={
                "rules": "Share",
                "detail": "{n_rows} {of_rows} ({value})",
                "files": "share %",
                "text": "{value}",
                "table": "share",
                "inspector": "{value} of {set}: {n_rows} of {n_all_rows}",
            },
            column=ListColumn((5.4, 4.2), bar="share", sorts_by="rows"),
        ),
        NodeStatistic(
            "training_share",
            help="Share of the training rows that reach the leaf",
            formula="training_rows / all_training_rows",
            form="percent",
            faces={
                "rules": "Training share",
                "detail": _OF_TRAINING,
                "files": "training share %",
                "text": _OF_TRAINING,
                "table": "training share",
                "inspector": _OF_TRAINING,
                "card": _OF_TRAINING,
                "predict": "training share",
            },
            per="leaf",
            same_as="share",
            column=ListColumn((5.4, 0), bar="share", order="share of the training rows"),
        ),
        NodeStatistic(
            "confidence",
            help="Share of the covered rows that have the predicted class",
            formula="1 - error",
            form="share",
            faces={
                "rules": "Confidence",
                "detail": "confidence {value}",
                "files": "confidence",
                "text": "confidence {number}",
            },
            certainty="confidence",
            column=ListColumn((7.2, 5.6), bar="share", order="confidence"),
        ),
        NodeStatistic(
            "deviation",
            help="Root mean squared error on the covered rows",
            formula="error",
            form="deviation",
            faces={"rules": "±", "detail": "{error_name} {error}", "files": "deviation", "text": "deviation {number}"},
            certainty="deviation",
            column=ListColumn((7.2, 5.6), bar="largest", order="root mean squared error"),
        ),
        NodeStatistic(
            "errors",
            help="Number of covered rows of another class",
            formula="loss",
            form="count",
            faces={"rules": "Errors", "detail": "{value} error{s}"},
            certainty="confidence",
            column=ListColumn((4.4, 3.8), order="errors"),
        ),
        NodeStatistic(
            "loss", help="Sum of the losses of the rows", formula="loss", form="loss", faces={"table": "{loss}"}
        ),
        NodeStatistic("error", help="Error on the rows", formula="error", form="error", faces={"table": "error"}),
        NodeStatistic(
            "conditions",
            help="Number of conditions",
            formula="conditions",
            form="count",
            faces={"rules": "Length"},
            column=ListColumn((5.2, 4.2), order="number of conditions", falls=False),
        ),
    ]
)
