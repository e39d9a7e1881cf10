"""List the supported formats.

To add a format, write a file that declares its `FileFormat`, and add an entry here. The pages, the command line, the
documentation and the tests use this list.
"""

from sample_data.user_data.readers.arff_file import ARFF
from sample_data.user_data.readers.arrow_file import ARROW
from sample_data.user_data.readers.csv_file import CSV, TSV
from sample_data.user_data.readers.excel_file import EXCEL
from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.readers.image_zip import IMAGES
from sample_data.user_data.readers.json_lines_file import JSON_LINES
from sample_data.user_data.readers.numpy_file import NUMPY
from sample_data.user_data.readers.parquet_file import PARQUET
from sample_data.user_data.readers.sas_file import SAS
from sample_data.user_data.readers.sparse_numpy_file import SCIPY
from sample_data.user_data.readers.stata_file import STATA
from sample_data.user_data.readers.svmlight_file import SVMLIGHT

# The first format in this list that recognises a zip file or a text applies. Texts that none recognises are CSV.
FORMATS = [CSV, TSV, EXCEL, PARQUET, ARROW, STATA, SAS, ARFF, JSON_LINES, SVMLIGHT, SCIPY, NUMPY, IMAGES]


def format_of(name: str) -> FileFormat:
    """Return the `FileFormat` of a name (as in `Table.format`) or an ending such as ".csv". CSV is the default."""
    plain = str(name).lower().lstrip(".")
    return next((one for one in FORMATS if plain == one.name.lower() or plain in one.endings), FORMATS[0])


def formats_in_words() -> str:
    """Return the supported formats as a list in words."""
    words = [one.words for one in FORMATS]
    return f"{', '.join(words[:-1])}, or {words[-1]}"
