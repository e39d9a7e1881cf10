"""Messages about problems of a table and its recipe, in the order of the checks."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "problem",
    {
        "no_feature": "All columns are ignored. Use at least one as a number, a category or a date.",
        "only_texts": (
            "Apart from the target, the table contains only texts, ID columns and constants: {columns:list}. A tree "
            "needs numbers, categories or dates. Add columns computed from the texts, such as the number of words, or "
            "select another kind for a column."
        ),
        "one_column": (
            "The table has a target but no feature, because it has only one column. If each line contains several "
            "values, change the delimiter in the reading options."
        ),
        "no_such_column": (
            "The table lacks these columns of the recipe: {columns:list}. The recipe may belong to another file."
        ),
        "few_rows": "The table has only {n:count row}, so the measured errors are unreliable.",
        "no_dates": "Column '{name:.60}' contains numbers, not dates.",
        "target.distinct": "The target '{target:.60}' has {n} different {kind}s. Each of them would be a class.",
        "target.names": "The target '{target:.60}' has {n} different values in {n_rows:,} rows. Choose another target.",
        "target.few_numbers": "The target '{target:.60}' has only {n} different numbers. Are they classes?",
        "target.numbers_of_rows": "The target '{target:.60}' has a different number in every row, as an ID column "
        "does.",
        "target.no_numbers": (
            "{n:count row} ({share:.1%}) without a number in '{target:.60}', such as {words:list}, {n:one"
            " is|are} excluded."
        ),
        "target.no_numbers_at_all": (
            "{n:count row} ({share:.1%}) without a number in '{target:.60}' {n:one is|are} excluded."
        ),
        "target.far": (
            "{n:count row} of the target '{target:.60}' ({values:list 3}) {n:one is|are} extreme. The distance to "
            "the median is more than {times:,} times the distance of nearly all other values. These rows alone "
            "would determine the error."
        ),
        "target.missing": "{n:count row} ({share:.1%}) without a value in '{target:.60}' {n:one is|are} excluded.",
        "target.marked": (
            "{n:count row} ({share:.1%}) with {texts:list} in '{target:.60}' {n:one is|are} excluded, because this "
            "usually means a missing value. Is it a class?"
        ),
        "target.spellings": (
            "Some classes of '{target:.60}' differ only in their spelling: {classes:list}. Do they mean the same class?"
        ),
        "target.single": "Class {classes:list} has one row, which is used for training, never for testing.",
        "target.singles": (
            "{n:,} classes have one row each: {classes:list}. These rows are used for training, never for testing."
        ),
        "target.few": "Class {classes:list} has fewer than {below} rows, so the error on this class is unreliable.",
        "target.several_few": (
            "{n:,} classes have fewer than {below} rows each: {classes:list}. The errors on these classes are "
            "unreliable."
        ),
        "target.many_classes": (
            "The target has {n:,} classes. A tree needs at least one leaf for each class that it predicts, and only "
            "twelve classes have their own colour. Merge rare classes, or choose another target."
        ),
        "target.many_even_classes": (
            "The target has {n:,} classes. A tree needs at least one leaf for each class that it predicts, and only "
            "twelve classes have their own colour. Choose these twelve in the legend, or search for a class by name."
        ),
        "target.imbalance": (
            "Class {classes:list} has {largest:,} of {n:,} rows; the smallest class has {smallest:,}. "
            "Compare each tree with a tree that always predicts the largest class, or balance the class weights."
        ),
        "almost_numbers.target": (
            "Column '{name:.60}' contains numbers, but {n:count value} {n:one is not a number|are not "
            "numbers}: {others:list 3}. If the column is used as numbers, these rows are excluded."
        ),
        "almost_numbers": (
            "Column '{name:.60}' contains numbers, but {n:count value} {n:one is not a number|are not "
            "numbers}: {others:list 3}. If the column is used as numbers, these values are missing."
        ),
        "exceptions": (
            "{n:count cell} of '{name:.60}' {n:one is not a {kind}|are not {kind}s}: {texts:list 3}. {n:one It is|They "
            "are} treated as missing."
        ),
        "exceptions.target": (
            "{n:count cell} of '{name:.60}' {n:one is not a {kind}|are not {kind}s}: {texts:list 3}. "
            "{n:one This row is|These rows are} excluded."
        ),
        "labels.used": (
            "Cells of '{name:.60}' contain several labels, such as '{example:.40}' ({n} labels). Each combination is a "
            "category. To use the labels, add a yes/no column for each of them, or ignore the column."
        ),
        "labels.unused": (
            "Cells of '{name:.60}' contain several labels, such as '{example:.40}' ({n} labels). The column is not "
            "used. To use the labels, add a yes/no column for each of them."
        ),
        "labels.target": (
            "Cells of the target '{name:.60}' contain several labels, such as '{example:.40}' ({n} labels). Each "
            "combination is a class. To predict one label, add a yes/no column for it."
        ),
        "spellings": (
            "Some values of '{name:.60}' differ only in their spelling: {values:list}. Each of them is a category. If "
            "they mean the same, correct them in the file."
        ),
        "marked": (
            "{n:count cell} {texts:list 3} of {columns:list} {n:one was|were} read as missing. Does this text mean a "
            "value?"
        ),
        "marker": (
            "{n_cells:,} of {n_rows:count row} {n_cells:one contains|contain} {marks:list 3} in column "
            "'{name:.60}'. The app uses this as a value. Does it mean that the value is missing?"
        ),
        "marker.numbers": (
            "{n_cells:,} of {n_rows:count row} {n_cells:one contains|contain} {marks:list 3} in column '{name:.60}'. "
            "All other cells contain numbers. Does this mark a missing value?"
        ),
        "marker.dates": (
            "{n_cells:,} of {n_rows:count row} {n_cells:one contains|contain} {marks:list 3} in column '{name:.60}'. "
            "All other cells contain dates. Does this mark a missing value?"
        ),
        "marker.far": (
            "{n_cells:,} of {n_rows:count row} {n_cells:one contains|contain} {marks:list 3} in column "
            "'{name:.60}', far from all other values. Does this mark a missing value?"
        ),
        "empty.column": "Column {columns:list} has no values.",
        "empty.columns": "{n:,} columns have no values: {columns:list}.",
        "constant.column": "Column {columns:list} has the same value in every row.",
        "constant.columns": "{n:,} columns have the same value in every row: {columns:list}.",
        "id.column": (
            "Column {columns:list} has a different value in (nearly) every row, like an ID column. A tree could use "
            "this column to memorise rows."
        ),
        "id.columns": "{n:,} columns have a different value in (nearly) every row, like ID columns: {columns:list}.",
        "text.column": "Column {columns:list} contains free text with many different values.",
        "text.columns": "{n:,} columns contain free text with many different values: {columns:list}.",
        "missing.column": "Column {columns:list} has missing values in more than half of the rows.",
        "missing.columns": "{n:,} columns have missing values in more than half of the rows: {columns:list}.",
        "unused": "{what} {n:one It is|They are} not used.",
        "unused.expected": (
            "{what} A target needs at least two values, so '{target:.60}' is the target instead of '{expected:.60}'. "
            "Choose another target if necessary."
        ),
        "out_of_reach": (
            "{n:count value} of {columns:list} {n:one is|are} infinite or larger than {largest:g} in "
            "absolute value, and {n:one is|are} treated as missing. To keep these values, rescale the column."
        ),
        "many_values": (
            "{n:one Column|Columns} {columns:list} {n:one has|have up to} {most:,} different values. The "
            "{most_categories} most frequent values in a column become features. All other values become 'none of "
            "these'."
        ),
        "many_features": (
            "The table has {n:,} features. Bivariate trees test all pairs of features, so training can take a long "
            "time."
        ),
        "rare_values": (
            "Column '{name:.60}' has {n:,} different values. {kept:,} of them are features. The rare values are "
            "combined as {group}."
        ),
        "formula": (
            "Column {n:one name|names} {columns:list} would run as a formula in a spreadsheet. This app "
            "treats names as text."
        ),
        "order.offered": "{columns}. A tree can split an ordered column between two adjacent levels.",
        "order.taken": "{columns}. {n:one It is an ordered feature|They are ordered features}.",
        "order.column": "Column {column} has an order",
        "order.columns": "{n:,} columns have an order: {columns}",
        "difference.offered": (
            "Columns '{first:.60}' and '{second:.60}' {why}. Their difference can be a column of its own, which a tree "
            "can split."
        ),
        "difference.several": "{what} This is possible for {n} pairs: {columns:list}.",
        "difference.dates": "are dates",
        "difference.unit": "have the same unit ({unit:.20})",
        "difference.names": "have similar names and values",
        "difference.added": (
            "Column '{name:.60}' is '{first:.60}' minus '{second:.60}', and is missing if one of them is missing. New "
            "rows need both columns."
        ),
        "leak.several": (
            "{n:,} columns each predict the class almost perfectly (checked on {n_rows:,} rows): "
            "{columns:list}. Do they repeat the target? Or are their values known only after the class?"
        ),
        "leak": (
            "Column '{name:.60}' predicts the class almost perfectly: {how} it correctly in {right} "
            "(checked on {n_rows:,}). Does this column repeat the target? Or are its values known only after the "
            "class?"
        ),
        "leak.dates": (
            "The days from '{first:.60}' to '{second:.60}' predict the class almost perfectly: a few splits on them "
            "predict it correctly in {right} (checked on {n_rows:,}). Is '{second:.60}' known only after the class?"
        ),
        "leak.by_value": "its value predicts",
        "leak.by_cuts": "a few splits on it predict",
        "leak.of_every_row": "every row",
        "leak.of_rows": "{share:.1%} of the rows",
        "leak.column": (
            "Column '{name:.60}' {what} (checked on {n_rows:,} rows). Ignore this column unless its values are known "
            "before the target."
        ),
        "leak.pair": (
            "Columns '{first:.60}' and '{second:.60}' {what} (checked on {n_rows:,} rows). Ignore both columns unless "
            "their values are known before the target."
        ),
        "leak.several_numbers": (
            "{n:,} columns are each a function of the target (checked on {n_rows:,} rows): "
            "{columns:list}. Ignore these columns unless their values are known before the target."
        ),
        "leak.unit": "is the target in another unit: {target:.60} = {slope:.4g} × {name:.60}{start}",
        "leak.order": "has the same order as the target in all rows, like a logarithm, a rounded value or a range",
        "leak.values": "determines the target: each value always occurs with the same target value",
        "leak.sum": "give the target as their sum",
        "leak.difference": "give the target as their difference",
        "leak.product": "give the target as their product",
        "leak.quotient": "give the target as their quotient",
        "leak.weighted_sum": "give the target as a weighted sum",
        "leak.powers": "give the target as a product of powers",
        "leak.joint_sum": (
            "{n:,} columns together give the target as a weighted sum: {columns:list 12} (checked on {n_rows:,} rows). "
            "Ignore these columns unless their values are known before the target."
        ),
        "leak.ratio": "give the target as a share: one of them, divided by their weighted sum",
        "leak.chain": (
            "{n:one Column|Columns} {columns:list 12} {n:one gives|give} {source:list 3}, which contains the target "
            "(checked on {n_rows:,} rows). Ignore {n:one it|them} unless {n:one its|their} values are known before "
            "the target."
        ),
        "leak.joint": (
            "A tree with only {leaves} leaves on {columns:list 6} predicts {share:.1%} of new rows correctly. Do these "
            "columns repeat the target? Or are their values known only after it?"
        ),
        "suspect.order": (
            "{n:one Column|Columns} {columns:list 12} {n:one has|have} nearly the same order as the target. The rank "
            "correlation is at least {least:.2f} in {n_rows:,} rows. {n:one Is it|Are they} known before the target?"
        ),
        "suspect.separates": (
            "{n:one Column|Columns} {columns:list 12} nearly {n:one separates|separate} the two classes. The area "
            "under the ROC curve is at least {least:.2f} in {n_rows:,} rows. {n:one Is it|Are they} known before the "
            "class?"
        ),
        "suspect.below": (
            "{n:one Column|Columns} {columns:list 12} {n:one is|are} never larger than '{target:.60}'. Such values "
            "may be parts of it. Are they known before the target?"
        ),
        "suspect.above": (
            "{n:one Column|Columns} {columns:list 12} {n:one is|are} never smaller than '{target:.60}'. Such values "
            "may be totals that contain it. Are they known before the target?"
        ),
        "suspect.time": (
            "{n:one Column|Columns} {columns:list 12} may be the time until '{target:.60}'. Such a time is known only "
            "with the event, so a tree for new rows cannot use it."
        ),
        "suspect.status": (
            "{n:one Column|Columns} {columns:list 12} may show how '{target:.60}' ended, which is known only with "
            "this time. The time of a row without the event is only a lower limit."
        ),
        "split.no_column": "The table has no split column '{name!s:.60}'. Choose another column.",
        "split.feature": (
            "The rows are split by '{name:.60}', which is also a feature. In test rows, this feature has values that "
            "never occur in training."
        ),
        "split.no_training": "No value of '{name:.60}' is assigned to training. Assign at least one.",
        "split.marker": "'{name:.60}' assigns the rows to training, validation and testing, and is not a feature.",
        "split.no_part": "{n:count row} {n:one is|are} excluded, because these values belong to no set: {values:list}.",
        "split.missing": "{n:count row} {n:one is|are} excluded, because no set is assigned to {n:one it|them}.",
        "split.no_test": "No value of '{name:.60}' is assigned to testing, so no test error can be measured.",
        "duplicates": (
            "{n:count row} ({share:.1%}) {n:one repeats|repeat} another row in all columns in use. If these rows are "
            "the same observation, it can occur in both training and test rows."
        ),
        "duplicates.removed": (
            "{n:count row} ({share:.1%}) {n:one repeats|repeat} another row in all columns in use, and {n:one is|are} "
            "removed."
        ),
        "duplicates.by_chance": (
            "{n:count row} ({share:.1%}) {n:one repeats|repeat} another row in all columns in use. The values are so "
            "few that different observations can be equal, so all rows are kept."
        ),
        "contradictions": (
            "{n:count row} {n:one has|have} the same features as a row of another class. No tree can predict all "
            "these rows correctly."
        ),
        "contradictions.numbers": (
            "{n:count row} {n:one has|have} the same features as a row with another number. No tree can predict all "
            "these rows correctly."
        ),
        "subjects": (
            "{why} If rows of the same value occur in both training and test rows, the test error is too low."
        ),
        "subjects.grouped": "{why} All rows of the same value are in the same set, and the column is not a feature.",
        "subjects.counts": "'{column:.60}' has {n:,} values with {rows} each",
        "subjects.within": "'{column:.60}' and '{within:.60}' together have {n:,} values with {rows} each",
        "subjects.crossed": "{counts}, and each of them has each '{occasion:.60}' at most once.",
        "subjects.fixed": "{counts}, and {fixed:list 3} {n:one never changes|never change} within them.",
        "subjects.only_counts": "{counts}.",
        "time.offered": (
            "{why} With a random split, a tree is tested on times between its training rows, so the test error of a "
            "forecast is too low."
        ),
        "time.taken": "{why} The oldest rows are for training and the newest for testing.",
        "time.series": "'{column:.60}' has a different value in every row, as the time of a series does.",
        "time.named": "'{column:.60}' orders the rows, as its name and its values show.",
        "time.sorted": "The rows of the file are sorted by '{column:.60}'.",
        "time.panel": "'{column:.60}' orders the rows, because each '{unit:.60}' has each value at most once.",
        "time.joint_panel": "'{column:.60}' orders the rows, because rows repeat at each of its values.",
        "time.repeated": "'{column:.60}' orders the rows, because each of its values has the same number of rows.",
        "split.is_target": "The rows are split by the target '{name:.60}', which is unknown for new rows.",
    },
)
