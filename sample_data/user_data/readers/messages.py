"""Messages about users' files: reading errors, and notes on how a file was read."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "file",
    {
        "cannot_open": "{name} cannot be opened: {why}.",
        "folder": "{name} is a folder or a device. Upload a file.",
        "not_bytes": "{name}: expected bytes or a path, not {type}.",
        "too_large": (
            "{name} has {size:,.0f} MB (maximum {most:,.0f} MB). Remove columns, use a random sample of "
            "the rows, or save the table as Parquet."
        ),
        "empty": "{name} is empty.",
        "begins_otherwise": "{name} is damaged or is not a .{ending} file. Save it again.",
        "unread.old_workbook": (
            "{name} is a workbook in the old format .xls, or has a password. Save it as .xlsx without a password."
        ),
        "unread.open_document": "{name} is an OpenDocument spreadsheet. Save it as .xlsx or export it as CSV.",
        "unread.document": "{name} is a document or a presentation. Copy its table into a spreadsheet and save the "
        "spreadsheet.",
        "unread.pdf": "{name} is a PDF document. Copy its table into a spreadsheet and export the sheet as CSV.",
        "unread.web_page": "{name} is a web page or XML. Copy its table into a spreadsheet and export the sheet as "
        "CSV.",
        "unread.json": "{name} looks like JSON. Save the table as JSON lines (one object per line), CSV or Parquet.",
        "unread.picture": "{name} is a single image. Upload a zip file with one folder of images per class.",
        "unread.array": "{name} is a single NumPy array. Save X and y together with numpy.savez_compressed.",
        "unread.hdf5": "{name} is an HDF5 file. Save the table as CSV or Parquet.",
        "unread.feather": "{name} is a Feather file of version 1. Save the table as Parquet.",
        "unread.database": "{name} is a database. Export the table as CSV.",
        "unread.spss": "{name} is an SPSS file. In SPSS, save the table as CSV (File > Save As).",
        "unread.sas": "{name} is a SAS file. In SAS, save the table as CSV with: proc export.",
        "unread.r": '{name} is an R file. In R, save the table with: write.csv(table, "table.csv", row.names = FALSE)',
        "unread.matlab": "{name} is a MATLAB file. In MATLAB, save the table with: writetable(T, 'table.csv')",
        "unread.7z": "{name} is a 7z archive. Use a zip file, or upload the table itself.",
        "unread.rar": "{name} is a RAR archive. Use a zip file, or upload the table itself.",
        "archive.no_table": (
            "{name} contains {found}. Supported: a zip file with one table (such as a .csv file), or with"
            " one folder of PNG or JPEG images per class."
        ),
        "archive.in_archive": "{name} contains another archive. Unpack it once and upload its contents.",
        "archive.damaged": "{name} is a damaged or incomplete archive. Save or upload it again.",
        "archive.too_many": "{name} contains {n_members:,} files (maximum {most:,}).",
        "archive.locked": "{name} has a password. Save it without a password.",
        "archive.grows": (
            "{name} has {size:,.1f} MB but would unpack to {unpacked:,.0f} MB. For security, the app does not unpack "
            "it. Save the table as CSV or Parquet."
        ),
        "archive.too_large": "{name} unpacks to {size:,.0f} MB (maximum {most:,.0f} MB). Save the table as Parquet.",
        "archive.member": "{name} is damaged: its file '{member:.80}' cannot be unpacked. Save it again.",
        "archive.cut_off": "{name} is damaged and cannot be unpacked. Save or upload it again.",
        "archive.unpacks": "{name} unpacks to more than {most:,.0f} MB (the maximum). Save the table as Parquet.",
        "not_text": (
            "{name} is not a text file. If it is a spreadsheet, an image or an archive under another "
            "name, export its table as CSV."
        ),
        "encoding.wrong": (
            "{name} contains bytes that are invalid in the encoding {encoding}. It may be incomplete or damaged. Save "
            "it again as UTF-8, or choose another encoding."
        ),
        "encoding.guess": "encoding {encoding} (guessed)",
        "encoding.unsure": "The file does not declare its encoding. It was read as {encoding}, such as '{shown:.40}'.",
        "encoding.unknown": "Unsupported encoding {wanted!r}. Supported: {encodings}.",
        "encoding.utf16": "encoding UTF-16 (without a byte order mark)",
        "csv.empty": "{name} is empty. A table needs a line with column names, followed by rows.",
        "csv.no_row": "{name} has no rows. A table needs a line with column names, followed by rows.",
        "csv.only_names": (
            "{name} has column names but no rows. If its first line is data, set First line to 'Data (no names)'."
        ),
        "no_row": "{name} has no rows.",
        "csv.too_long": (
            "{name} cannot be divided into rows, because a value is too long. An opening quotation mark "
            "without a closing one can cause this. Correct it, or choose another delimiter."
        ),
        "csv.too_long_near": (
            "{name} cannot be divided into rows, because a value near line {line:,} is too long. An "
            "opening quotation mark without a closing one can cause this. Correct it, or choose another "
            "delimiter."
        ),
        "csv.fields": (
            "{name}: line {line:,} has {n_fields:count field}, but the first line has {n_columns}: "
            "'{text}'. Correct this line (put quotation marks around a value that contains the "
            "delimiter), or {remedy}."
        ),
        "csv.fill": "fill short rows with missing values",
        "csv.delimiter": "choose another delimiter",
        "csv.open_quote": (
            "{name}: in the row that begins in line {line:,}, a quotation mark is not closed. Close or remove this "
            "mark."
        ),
        "csv.value": "The text cannot be divided into rows: a value has more than {most:,} characters.",
        "csv.long_value": (
            "{name} cannot be divided into rows: a value has more than {most:,} characters. An opening "
            "quotation mark without a closing one can cause this. Correct it, or choose another "
            "delimiter."
        ),
        "csv.fill_short": "fill_short={fill_short!r}: expected True, False or None.",
        "csv.delimiter_length": "delimiter={delimiter!r}: expected one character, such as , ; | or a tab.",
        "csv.delimiter_sign": "delimiter={delimiter!r}: expected another character, such as , ; | or a tab.",
        "csv.decimal": "decimal={decimal!r}: expected a point or a comma.",
        "csv.header": "header={header!r}: expected True, False, 'two lines' or None.",
        "csv.lines": "{name}={value!r}: expected a whole number of lines >= {least}.",
        "csv.no_header": "no header line (columns are numbered)",
        "csv.above": "{n:count line} above the header skipped",
        "csv.two_lines": "two header lines combined",
        "csv.skipped": "{n:count line} before the table skipped (blank or comments)",
        "csv.comments": "{n:count comment line} skipped",
        "csv.below": "{n:count line} below the table skipped (line {line:,})",
        "csv.totals": "last row {word!r} left out (to keep it, set Footer lines to 0)",
        "csv.footnotes": (
            "{n:count row} below the table left out, such as '{text:.40}' (to keep {n:one it|them}, set Footer "
            "lines to 0)"
        ),
        "excel.merged": "values of {n:count group} of merged cells repeated",
        "excel.sheets_with_tables": "Sheet '{title:.40}' is read. Other sheets contain a table, too.",
        "csv.filled": "{n:count short row} filled with missing values (line {lines})",
        "csv.row_ends": "a delimiter at the end of each row",
        "csv.row_names": "a row name without a header",
        "column.missing": "column '{name:.60}': {n:count value} such as '{example:.20}' treated as missing",
        "missing.column": "column '{name:.60}': {n:count cell} {texts:list 3} read as missing",
        "missing.columns": "{text!r} read as missing ({n:count cell} in {n_columns:count column})",
        "column.utc": "times of '{name:.60}' converted to UTC",
        "column.dates": "dates of '{name:.60}' read as {order}",
        "column.century": "years of two digits in '{name:.60}' read as {first} to {last}",
        "column.compact_dates": "dates of '{name:.60}' read as year, month and day, such as 20240115",
        "column.blank": "empty cells of {columns} read as the value {blank}",
        "excel.damaged": "{name} is damaged or is not a workbook. Save it again as .xlsx, or export it as CSV.",
        "excel.texts": (
            "{name} has more than {most:,} different texts, too many for a workbook. Export the sheet as CSV."
        ),
        "excel.sheets": (
            "{name} has {n_sheets:,} sheets (maximum {most:,}). Save the sheet with the table as a separate file."
        ),
        "excel.no_sheet": "{name} has no sheet {sheet!r}. Its sheets: {there}.",
        "excel.empty": "{name} is empty: no sheet has a value.",
        "excel.almost_empty": (
            "{name}: the sheet '{title:.60}' extends to row {row:,} and is almost empty. Delete the empty rows and "
            "columns around the table, or export the sheet as CSV."
        ),
        "excel.cells": ("{name} has more than {most:,} cells, too many for a workbook. Export the sheet as CSV."),
        "excel.only_names": (
            "{name} has column names but no rows. If its first row is data, set First line to 'Data (no names)'."
        ),
        "excel.no_header": "no header row (columns are numbered)",
        "excel.title": "{n:count title row} above the table skipped",
        "json.bad_line": (
            "{name}: line {line:,} is not JSON: '{text}'. Write one object per line, such as {{\"age\": 31}}, in UTF-8."
        ),
        "json.no_object": '{name}: line {line:,} contains a {kind}. Write one object per line, such as {{"age": 31}}.',
        "json.too_deep": "{name}: line {line:,} has objects nested more than {most} deep. Remove the inner objects.",
        "json.too_many_values": (
            "{name} has more than {most:,} values (the maximum for JSON). Save the table as CSV or Parquet."
        ),
        "json.no_column": "{name} contains only lists, which are not supported. Write numbers, texts, true or false.",
        "json.nested": "values of nested objects read as columns: {names:list}",
        "json.lists": "{n:count column} of lists skipped: {names:list}",
        "parquet.damaged": "{name} is damaged or is not a Parquet file. Save it again, or save it as CSV.",
        "parquet.differences": (
            "{name}: the texts of '{column:.60}' have the encoding DELTA_BYTE_ARRAY, which is not "
            "supported. Save the file with another encoding, or remove the column."
        ),
        "parquet.memory": (
            "{name}: its {what} would unpack to {size:,.1f} GB (maximum {most:,.1f} GB). Remove columns, "
            "or use a random sample of the rows."
        ),
        "parquet.no_column": "{name} has no column of numbers, dates or texts.",
        "parquet.left_out": "{n:count column} of lists, records or bytes skipped: {columns}",
        "parquet.hours": "times of '{name:.60}' read as hours",
        "parquet.texts": (
            "The texts of '{column:.60}' would need {size:,.1f} GB (maximum {most:,.1f} GB). Remove the column."
        ),
        "stata.damaged": (
            "{name} is damaged or is not a supported Stata file. In Stata, save the table with: export delimited using "
            "table.csv"
        ),
        "arrow.damaged": "{name} is damaged or is not a supported Arrow file. Save it as Parquet or CSV.",
        "arff.line": (
            "{name}: line {line} is '{text:.60}', but only @relation and @attribute NAME TYPE are allowed before @data."
        ),
        "arff.no_data": "{name} has no line @data. Add this line above the rows.",
        "arff.no_attribute": "{name} declares no columns. Add a line @attribute NAME TYPE for each column.",
        "arff.type": (
            "{name}: line {line} has the unsupported type '{type:.40}'. Supported: numeric, string, date and {{a, b}}."
        ),
        "arff.sparse": "{name} has sparse rows ({{1 x, 5 y}}), which are not supported. Save it as dense ARFF or CSV.",
        "arff.fields": (
            "{name}: data row {row:,} has {n_fields:count field} but {n_columns:count attribute} "
            "{n_columns:one is|are} declared: '{text:.60}'. Correct this row."
        ),
        "arff.no_row": "{name} has no rows below @data.",
        "arff.row": "The row '{text:.60}' cannot be divided into fields.",
        "numpy.shapes": (
            "{name}: X has shape {X_shape} and y {y_shape}: expected [n, d] and [n], with at least one row."
        ),
        "numpy.type": "{name}: {key} is {dtype}: expected numbers or strings.",
        "numpy.names": "{name}: feature_names: expected one name for each of the {n_columns} columns of X.",
        "sparse.array": "{name} has no array {missing!r} of a sparse matrix. Save it with scipy.sparse.save_npz.",
        "sparse.types": "{name}: data has dtype {dtype}, and the indices have dtypes {first} and {second}: expected "
        "numbers.",
        "sparse.matrix": "{name} is not a sparse matrix of shape {shape}: {reason}. Save it again.",
        "sparse.format": (
            "{name} does not have the format or shape of a sparse matrix. Save the matrix with scipy.sparse.save_npz."
        ),
        "sparse.kind": "{name} is a sparse matrix in the unsupported format {kind!r}. Save matrix.tocsr().",
        "sparse.shape": "{name}: the shape of the matrix has dtype {dtype}: expected whole numbers.",
        "sparse.y": "{name}: y is {dtype} of shape {shape}: expected {n_rows} numbers or strings, one per row.",
        "sparse.names": "{name}: feature_names: expected {n_columns} strings, one per column.",
        "sparse.value": (
            "{name}: row {row} contains {value} in feature {feature!r}. Use finite numbers, and omit "
            "entries that are zero."
        ),
        "sparse.label": "{name}: the label of row {row} is {label}. Use finite numbers.",
        "sparse.none": "{name} has {n_rows} rows and {n_columns} columns: expected at least one row and one column.",
        "sparse.too_large": (
            "{name} has {n_rows:,} rows and {n_columns:,} columns (maximum {most_rows:,} rows and "
            "{most_columns:,} columns). Hash the features into fewer, or use a sample of the rows."
        ),
        "sparse.no_table": (
            "{name} is a sparse matrix with {n_rows:,} rows and {n_columns:,} columns. As a table it would have "
            "{n_values:,} values (maximum {most:,} values and {most_columns:,} columns). Train on the "
            "sparse matrix{labels}: python -m treecore fit {name} --split oblique, or "
            "TAOClassifier('oblique').fit(X, y) in Python."
        ),
        "sparse.add_labels": " after you add an array y with labels",
        "sparse.stored": "sparse format, {share:.1%} of the values stored",
        "sparse.no_y": "no array y (choose a column as the target)",
        "svmlight.damaged": (
            "{name} is not a supported svmlight file ({reason}). Write one row per line: the label, then "
            "pairs index:value with increasing indices, such as: 1 3:0.5 17:2"
        ),
        "svmlight.line": (
            "{name}: line {line} is longer than {size:.0f} MB. Check that the file is in the svmlight format."
        ),
        "svmlight.index": (
            "{name}: line {line} has the index {index}: expected whole numbers from 0 to {most:,}. Number"
            " the features from 1."
        ),
        "images.folders": "{name} has {n:count folder} of images: expected 2 to {most:,}, one folder per class.",
        "images.pixels": (
            "{name} has {n:,} images of {width} x {height} pixels (maximum {most:,} pixels in total). Use"
            " smaller or fewer images."
        ),
        "images.no_folder": (
            "{name}: the image '{picture!s:.80}' is not in a folder. Put the images of each class into a "
            "folder with the name of the class, and zip these folders."
        ),
        "images.size": (
            "{name}: the image '{picture:.80}' has {width:,} x {height:,} pixels (maximum {most:,}, such "
            "as 256 x 256). Use smaller images."
        ),
        "images.damaged": "{name}: '{picture:.80}' is damaged or is not a PNG or JPEG image. Replace or remove it.",
        "images.read": "{n:,} greyscale images of {width} x {height} pixels from {name}.",
        "images.resized": "{n:count image} had a different size and {n:one was|were} resized.",
        "images.others": "{n:count other file} ignored.",
    },
)
