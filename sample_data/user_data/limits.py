"""How much of the user's own data is read; the reader of each format refuses more, in words."""

MAX_BYTES = 200_000_000  # of a file
MAX_ROWS = 2_000_000
MAX_COLUMNS = 10_000
MAX_CELLS = 100_000_000
MAX_EXCEL_CELLS = 5_000_000  # they are slow to read
MAX_EXCEL_ROWS = 1_048_576  # more than Excel has are a damaged file
MAX_EXCEL_TAGS = 1_200_000  # of the XML of its texts: 300,000 different ones
MAX_CLASSES = 1_000
MAX_NAME_LENGTH = 200  # of a column, in characters; longer names are cut
MAX_TEXT_BYTES = 500_000_000  # of the texts of a Parquet file, as they are before it is compressed
MAX_FEATURE_BYTES = 2_000_000_000  # of the features that are made of a table

MAX_EXPANSION = 20  # a compressed file may grow by this factor ...
FREE_EXPANSION = 50_000_000  # ... or to this many bytes, whichever is more
FREE_EXCEL_EXPANSION = 1_000_000  # small: XML is slow to read
FREE_ARRAY_EXPANSION = 600_000_000  # of .npz files: pictures are mostly background
MAX_MEMBERS = 200_000  # of a zip
MAX_PIXELS = 65_536  # of one image
MAX_IMAGE_VALUES = 500_000_000  # pixels of all images together
