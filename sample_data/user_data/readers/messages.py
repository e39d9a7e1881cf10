"""Sentences on files of visitors: why one is not read, and how one was read."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "file",
    {
        "cannot_open": "{name} cannot be opened: {why}.",
        "folder": "{name} is a folder or a device; upload a file.",
        "not_bytes": "{name}: bytes or a path are read, not {type}.",
        "too_large": (
            "{name} has {size:,.0f} MB; at most {most:,.0f} MB are read. Leave out columns, draw a random part "
            "of the rows, or save it as Parquet."
        ),
        "empty": "{name} is empty: it holds no byte.",
        "begins_otherwise": "{name} is damaged or no .{ending} file: it does not begin like one. Write it again.",
        "unread.old_workbook": (
            "{name} is a workbook in the old format .xls, or locked. Save it as .xlsx without a password."
        ),
        "unread.open_document": "{name} is an OpenDocument spreadsheet. Save it as .xlsx or export it as CSV.",
        "unread.document": "{name} is a document or a presentation. Copy its table into a spreadsheet.",
        "unread.pdf": "{name} is a PDF document. Copy its table into a spreadsheet and export that as CSV.",
        "unread.web_page": "{name} is a web page or XML. Copy its table into a spreadsheet and export that as CSV.",
        "unread.json": "{name} looks like JSON. Save the table as JSON lines (one object a line), CSV or Parquet.",
        "unread.picture": "{name} is a picture. Pictures are read from a zip with one folder per class.",
        "unread.array": "{name} is a single NumPy array. Save X and y together with numpy.savez_compressed.",
        "unread.hdf5": "{name} is an HDF5 file. Save the table as CSV or Parquet.",
        "unread.feather": "{name} is a Feather file of the first version. Save the table as Parquet.",
        "unread.database": "{name} is a database. Export the table as CSV.",
        "unread.7z": "{name} is a 7z archive. Use a zip, or upload the table itself.",
        "unread.rar": "{name} is a RAR archive. Use a zip, or upload the table itself.",
        "archive.no_table": (
            "{name} holds {found}. A zip may hold one table (such as a .csv file), or one folder of PNG or JPEG "
            "pictures for each class."
        ),
        "archive.in_archive": "{name} holds an archive in an archive. Unpack it once and upload what is inside.",
        "archive.damaged": "{name} is a damaged or incomplete archive. Write or upload it again.",
        "archive.too_many": "{name} holds {n_members:,} files; at most {most:,} are read.",
        "archive.locked": "{name} is locked with a password. Save it without one.",
        "archive.grows": (
            "{name} has {size:,.1f} MB but would unpack to {unpacked:,.0f} MB; files that grow so much are not "
            "opened. Save the table as CSV or Parquet."
        ),
        "archive.too_large": "{name} unpacks to {size:,.0f} MB; at most {most:,.0f} MB are read.",
        "archive.member": "{name} is damaged: '{member:.80}' in it cannot be unpacked.",
        "archive.cut_off": "{name} is damaged: it cannot be unpacked. Write or upload it again.",
        "archive.unpacks": "{name} unpacks to more than {most:,.0f} MB, which is the most that is read.",
        "not_text": (
            "{name} is not text: it holds bytes that no text has. Is it a spreadsheet, a picture or an archive "
            "under another name? Export it as CSV and upload that."
        ),
        "encoding.wrong": (
            "{name} is not written in {encoding} throughout; it may be cut off or damaged. Save it again as "
            "UTF-8, or choose another encoding."
        ),
        "encoding.unknown": "{wanted!r} is not an encoding that is read; there are {encodings}.",
        "encoding.utf16": "encoding UTF-16 (not marked)",
        "csv.empty": "{name} is empty: it holds no row. A table needs a line of column names and rows below it.",
        "csv.no_row": "{name} holds no row. A table needs a line of column names and rows below it.",
        "csv.only_names": (
            "{name} has column names but no row below them. If its first line is data, say that there is no header."
        ),
        "no_row": "{name} holds no row.",
        "csv.too_long": (
            "{name} cannot be cut into rows: a value is longer than any should be. A quotation mark that is opened and "
            "never closed does this; mend it, or choose another delimiter."
        ),
        "csv.too_long_near": (
            "{name} cannot be cut into rows: a value is longer than any should be, near line {line:,}. A quotation "
            "mark that is opened and never closed does this; mend it, or choose another delimiter."
        ),
        "csv.fields": (
            "{name}: line {line:,} has {n_fields:count field}, but {n_columns} are expected, as in the first "
            "line: '{text}'. Correct that line (a value that holds the delimiter must stand in quotation marks), "
            "or {remedy}."
        ),
        "csv.fill": "fill rows that are too short",
        "csv.delimiter": "choose another delimiter",
        "csv.open_quote": (
            "{name}: the row that begins in line {line:,} opens a quotation mark that is never closed. Close it, "
            "or take it away."
        ),
        "csv.value": "The text cannot be cut into rows: a value has more than {most:,} characters.",
        "csv.long_value": (
            "{name} cannot be cut into rows: a value has more than {most:,} characters. A quotation mark that is "
            "opened and never closed does this; mend it, or choose another delimiter."
        ),
        "csv.fill_short": "fill_short={fill_short!r}: expected True, False or None.",
        "csv.delimiter_length": "The delimiter is {delimiter!r}; it must be one character, such as , ; | or a tab.",
        "csv.delimiter_sign": "{delimiter!r} cannot be the delimiter; choose , ; | or a tab.",
        "csv.decimal": "The decimal sign is {decimal!r}; it is a point or a comma.",
        "csv.header": "header={header!r}: expected True, False, 'two lines' or None.",
        "csv.lines": "{name}={value!r}: expected a whole number of at least {least}.",
        "csv.no_header": "no header line: columns are numbered",
        "csv.above": "{n:count line} above the header left out",
        "csv.two_lines": "two header lines made into one",
        "csv.skipped": "{n:count line} before the table left out (blank or comments)",
        "csv.comments": "{n:count comment line} left out",
        "csv.below": "{n:count line} below the table left out (line {line:,})",
        "csv.filled": "{n:count row} {n:one was|were} too short and filled with empty values (line {lines})",
        "csv.row_ends": "each row ends with a delimiter",
        "csv.row_names": "rows begin with a name that the header does not count",
        "column.missing": "column '{name:.60}': {n:count value} such as '{example:.20}' taken as missing",
        "column.utc": "times of '{name:.60}' turned into UTC",
        "column.dates": "dates of '{name:.60}' read as {order}",
        "column.compact_dates": "dates of '{name:.60}' read as year, month and day, such as 20240115",
        "column.blank": "empty cells of {columns} count as the answer {blank}",
        "excel.damaged": "{name} is damaged or no workbook. Save it again as .xlsx, or export it as CSV.",
        "excel.texts": (
            "{name} has more than {most:,} different texts; so many are slow to read from a workbook. Export the "
            "sheet as CSV and upload that."
        ),
        "excel.no_sheet": "{name} has no sheet {sheet!r}; it has {there}.",
        "excel.empty": "{name} is empty: no sheet holds a cell with a value.",
        "excel.almost_empty": (
            "{name}: the sheet '{title:.60}' reaches to row {row:,} and is almost empty. Delete the empty rows "
            "and columns around its table, or export it as CSV."
        ),
        "excel.cells": (
            "{name} has more than {most:,} cells; so many are slow to read from a workbook. Export the sheet as "
            "CSV and upload that."
        ),
        "excel.only_names": "{name} has column names but no row below them. If its first row is data, say so.",
        "excel.no_header": "no header row: columns are numbered",
        "excel.title": "{n:count row} of a title above the table left out",
        "json.bad_line": (
            "{name}: line {line:,} is not JSON: '{text}'. Write one object a line, such as {{\"age\": 31}}, in UTF-8."
        ),
        "json.no_object": ('{name}: line {line:,} holds a {kind}. Write one object a line, such as {{"age": 31}}.'),
        "json.too_deep": "{name}: line {line:,} has objects in objects more than {most} deep. Remove the inner ones.",
        "json.too_many_values": (
            "{name} has more than {most:,} values, the most that is read from JSON. Save the table as CSV or Parquet."
        ),
        "json.no_column": "{name} has no value but lists. Write numbers, texts or true and false.",
        "json.nested": "values of objects in objects read as columns: {names:list}",
        "json.lists": "{n:count column} of lists left out: {names:list}",
        "parquet.damaged": "{name} is damaged or no Parquet file. Write it again, or save it as CSV.",
        "parquet.differences": (
            "{name}: the texts of '{column:.60}' are stored as differences (DELTA_BYTE_ARRAY), which is not "
            "read. Write the file with another encoding of texts, or leave out the column."
        ),
        "parquet.memory": (
            "{name}: its {what} would unpack to {size:,.1f} GB; at most {most:,.1f} GB are read. Leave out "
            "columns, or draw a random part of the rows."
        ),
        "parquet.no_column": "{name} has no column of numbers, dates or texts.",
        "parquet.left_out": "{n:count column} of lists, records or bytes left out: {columns}",
        "parquet.texts": (
            "The texts of '{column:.60}' would take {size:,.1f} GB; at most {most:,.1f} GB are read. Leave the "
            "column out."
        ),
        "arrow.damaged": "{name} is damaged or no Arrow file that is read. Save it as Parquet or CSV.",
        "arff.line": "{name}: line {line} is '{text:.60}'; before @data stand only @relation and @attribute NAME TYPE.",
        "arff.no_data": "{name} has no line @data, below which the rows of an ARFF file stand.",
        "arff.no_attribute": "{name} names no column: an ARFF file has a line @attribute NAME TYPE for each.",
        "arff.type": "{name}: line {line} has the type '{type:.40}'; read are numeric, string, date and {{a, b}}.",
        "arff.sparse": "{name} has sparse rows ({{1 x, 5 y}}), which are not read. Save it as dense ARFF or CSV.",
        "arff.fields": (
            "{name}: row {row:,} below @data has {n_fields:count field}, but the file has {n_columns:count "
            "attribute}: '{text:.60}'. Correct that row."
        ),
        "arff.no_row": "{name} holds no row below @data.",
        "arff.row": "The row '{text:.60}' cannot be cut into fields.",
        "numpy.shapes": "{name}: X is {X_shape} and y {y_shape}; they must be [n, d] and [n], with at least one row.",
        "numpy.type": "{name}: {key} is {dtype}; it must hold numbers or texts.",
        "numpy.names": "{name}: feature_names must name each of the {n_columns} columns of X.",
        "sparse.array": "{name} has no array {missing!r} of a sparse matrix. Write it with scipy.sparse.save_npz.",
        "sparse.types": "{name}: data is {dtype}, with places of {first} and {second}; use numbers.",
        "sparse.matrix": "{name} is no sparse matrix of shape {shape}: {reason}. Write it again.",
        "sparse.format": "{name}: its format or shape is none of a sparse matrix. Write it with scipy.sparse.save_npz.",
        "sparse.kind": "{name} is a sparse matrix in the format {kind!r}. Save matrix.tocsr() instead.",
        "sparse.shape": "{name}: the shape of its matrix is of {dtype}; use whole numbers.",
        "sparse.y": "{name}: y is {dtype} of shape {shape}; use {n_rows} numbers or texts, one a row.",
        "sparse.names": "{name}: feature_names must be {n_columns} texts, one a column.",
        "sparse.value": (
            "{name}: row {row} holds {value} in feature {feature!r}. Use finite numbers; leave out entries that "
            "are zero."
        ),
        "sparse.label": "{name}: the label of row {row} is {label}. Use finite numbers.",
        "sparse.none": "{name} holds {n_rows} rows and {n_columns} columns; at least one of each is needed.",
        "sparse.too_large": (
            "{name} has {n_rows:,} rows and {n_columns:,} columns; at most {most_rows:,} rows and "
            "{most_columns:,} columns are read. Hash the features into fewer, or draw a part of the rows."
        ),
        "sparse.no_table": (
            "{name} is a sparse matrix of {n_rows:,} rows and {n_columns:,} columns: {n_values:,} values as a "
            "table, of which at most {most:,} in {most_columns:,} columns are opened. Train it as it is{labels}: "
            "python -m treecore fit {name} --split oblique, or in Python TAOClassifier('oblique').fit(X, y) with "
            "the CSR matrix."
        ),
        "sparse.add_labels": " after you have added an array y of labels",
        "sparse.stored": "sparse, {share:.1%} of the values are stored",
        "sparse.no_y": "no array y: choose the target among the columns",
        "svmlight.damaged": (
            "{name} is no svmlight file that is read ({reason}). Each line is a single number, the label, and "
            "pairs index:value with rising indices, such as: 1 3:0.5 17:2"
        ),
        "svmlight.line": "{name}: line {line} is longer than {size:.0f} MB. Is it svmlight?",
        "svmlight.index": (
            "{name}: line {line} has the index {index}; indices are whole numbers from 0 to {most:,}. Number the "
            "features from 1 on."
        ),
        "images.folders": (
            "{name} has {n:count folder} of pictures; each folder is a class, and 2 to {most:,} are read."
        ),
        "images.pixels": (
            "{name} has {n:,} pictures of {width} x {height} pixels; at most {most:,} pixels are read. Make them "
            "smaller, or use fewer."
        ),
        "images.no_folder": (
            "{name}: the picture '{picture!s:.80}' is in no folder. Put the pictures of each class into a folder "
            "with the name of the class, and zip these folders."
        ),
        "images.size": (
            "{name}: the picture '{picture:.80}' has {width:,} x {height:,} pixels; at most {most:,} are read "
            "(such as 256 x 256). Make the pictures smaller."
        ),
        "images.damaged": "{name}: '{picture:.80}' is damaged or no PNG or JPEG picture. Replace it or leave it out.",
        "images.read": "{n:,} pictures of {width} x {height} pixels in grey from {name}.",
        "images.resized": "{n:,} of them had another size and were resized.",
        "images.others": "{n:count other file} in it not used.",
    },
)
