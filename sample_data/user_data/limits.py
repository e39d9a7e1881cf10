"""Set the limits of user data. The reader of each format refuses larger files with a message."""

MAX_BYTES = 200_000_000  # maximum size of a file
MAX_ROWS = 2_000_000
MAX_COLUMNS = 10_000
MAX_CELLS = 100_000_000
MAX_EXCEL_CELLS = 5_000_000  # a low limit, because workbooks are slow to read
MAX_EXCEL_ROWS = 1_048_576  # more rows than Excel supports mean a damaged file
MAX_EXCEL_TAGS = 1_200_000  # number of tags in the XML of a workbook's texts, enough for 300,000 different texts
MAX_EXCEL_SHEETS = 1_000  # opening a sheet takes a millisecond
MAX_CLASSES = 1_000
MAX_NAME_LENGTH = 200  # maximum number of characters in a column name; longer names are cut
MAX_TEXT_BYTES = 500_000_000  # maximum uncompressed size of the texts in a Parquet file
MAX_FEATURE_BYTES = 2_000_000_000  # maximum size of the features made from a table

# A table with more cells must have this share of cells with a value, because stored tables also need space for the
# others.
FREE_CELLS, LEAST_FILLED = 2_000_000, 0.01
# The same for the numbers of a sparse matrix, most of which need one byte.
FREE_SPARSE_CELLS, LEAST_SPARSE = 50_000_000, 0.001

MAX_EXPANSION = 20  # maximum factor by which a compressed file grows
FREE_EXPANSION = 50_000_000  # size up to which the factor does not matter
FREE_EXCEL_EXPANSION = 1_000_000  # small, because XML is slow to read
FREE_ARRAY_EXPANSION = 600_000_000  # large for .npz files, because images are mostly background
MAX_MEMBERS = 200_000  # maximum number of members in a zip file
MAX_PIXELS = 65_536  # maximum number of pixels in one image
MAX_IMAGE_VALUES = 500_000_000  # maximum number of pixels in all images together
