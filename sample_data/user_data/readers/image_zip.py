"""Read a zip file of images, one folder per class, into a `DataSet`."""

import io
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

import numpy as np
from PIL import Image

from sample_data.data_set import TEST, TRAIN, VALIDATION, DataSet
from sample_data.user_data.limits import MAX_CLASSES, MAX_IMAGE_VALUES, MAX_PIXELS
from sample_data.user_data.natural_key import natural_key
from sample_data.user_data.readers.archive import ARCHIVE_FAULTS, as_file, check_members, plain_members
from sample_data.user_data.readers.file_format import FileFormat
from treecore.errors import DataError
from treecore.messages import counted, plural

ENDINGS = (".png", ".jpg", ".jpeg")
_FAULTS = (
    *ARCHIVE_FAULTS,
    Image.UnidentifiedImageError,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,
    SyntaxError,  # PIL's exception for a damaged PNG
    struct.error,
    TypeError,
    IndexError,
    AttributeError,
    zlib.error,
    NotImplementedError,
)
_PARTS = {"train": TRAIN, "training": TRAIN, "test": TEST, "testing": TEST,
          "valid": VALIDATION, "validation": VALIDATION, "val": VALIDATION}  # fmt: skip


def is_image_zip(members: Sequence[zipfile.ZipInfo]) -> bool:
    """Test whether a zip file contains images, but is not a document with images."""
    names = [member.filename for member in members]
    if "content.xml" in names or any(one.startswith(("word/", "ppt/")) for one in names):
        return False
    return any(member.filename.lower().endswith(ENDINGS) for member in plain_members(members))


def read_image_zip(source: bytes | Path, name: str) -> DataSet:
    """Return the data set of greyscale images, uint8[n, height * width].

    source : bytes or Path. The names of the folders with images are the classes. Folders `train`, `validation` and
    `test` above them define the split. Images whose size differs from the most frequent one are resized. Raises
    DataError for images outside folders, damaged images, images with more than `MAX_PIXELS` pixels, and fewer than two
    classes.
    """
    members = plain_members(check_members(source, name))
    pictures = [member for member in members if member.filename.lower().endswith(ENDINGS)]
    labels, parts = _labels([PurePosixPath(one.filename.replace("\\", "/")) for one in pictures], name)
    class_names = sorted(set(labels), key=natural_key)
    if not 2 <= len(class_names) <= MAX_CLASSES:
        raise DataError(
            f"{name} has {counted(len(class_names), 'folder')} of images: expected 2 to {MAX_CLASSES:,}, one "
            "folder per class."
        )
    with zipfile.ZipFile(as_file(source)) as archive:
        sizes = Counter(_size(archive, one, name) for one in pictures)
        (width, height), _ = sizes.most_common(1)[0]
        if len(pictures) * width * height > MAX_IMAGE_VALUES:
            raise DataError(
                f"{name} has {len(pictures):,} images of {width} x {height} pixels (maximum {MAX_IMAGE_VALUES:,} "
                "pixels in total). Use smaller or fewer images."
            )
        X = np.empty((len(pictures), height * width), np.uint8)
        for row, one in zip(X, pictures, strict=True):
            row[:] = _grey(archive, one, (width, height), name)
    X.flags.writeable = False
    place = {label: k for k, label in enumerate(class_names)}
    data_set = DataSet(
        name="own",
        title=PurePosixPath(name).stem.replace("_", " ")[:200] or "Your images",
        X=X,
        y=np.array([place[label] for label in labels], np.int64),
        feature_names=tuple(f"row {r}, column {c}" for r in range(height) for c in range(width)),
        class_names=tuple(class_names),
        image_shape=(height, width),
        description=_description(name, pictures, len(members) - len(pictures), sizes, (width, height)),
        source=f"Your file {name}",
        licence="yours",
        split=None if parts is None else np.array(parts, np.int8),
    )
    return replace(data_set, name=f"own-{data_set.fingerprint[:12]}")


def _labels(paths, name):
    """Return (class of each image, part of each image or None without a split)."""
    if any(len(path.parts) < 2 or ".." in path.parts for path in paths):
        odd = next(path for path in paths if len(path.parts) < 2 or ".." in path.parts)
        raise DataError(
            f"{name}: the image '{odd!s:.80}' is not in a folder. Put the images of each class into a folder "
            "with the name of the class, and zip these folders."
        )
    labels = [path.parts[-2] for path in paths]
    above = [path.parts[-3].lower() if len(path.parts) > 2 else "" for path in paths]
    if all(word in _PARTS for word in above) and TRAIN in {_PARTS[word] for word in above}:
        parts = [_PARTS[word] for word in above]
        return labels, parts if len(set(parts)) > 1 else None
    return labels, None


def _size(archive, member, name) -> tuple[int, int]:
    try:
        with archive.open(member) as stream, Image.open(stream, formats=("PNG", "JPEG")) as picture:
            size = picture.size
    except _FAULTS as fault:
        raise _damaged(name, member) from fault
    if not 0 < size[0] * size[1] <= MAX_PIXELS:
        raise DataError(
            f"{name}: the image '{member.filename:.80}' has {size[0]:,} x {size[1]:,} pixels (maximum "
            f"{MAX_PIXELS:,}, such as 256 x 256). Use smaller images."
        )
    return size


def _grey(archive, member, size, name):
    """Return the image as uint8[height * width]."""
    try:
        with Image.open(io.BytesIO(archive.read(member)), formats=("PNG", "JPEG")) as picture:
            grey = _on_white(picture).convert("L")
            if grey.size != size:
                grey = grey.resize(size, Image.Resampling.BOX if grey.width > size[0] else Image.Resampling.BILINEAR)
            return np.asarray(grey).ravel()
    except _FAULTS as fault:
        raise _damaged(name, member) from fault


def _on_white(picture):
    """Put transparent images on white, and convert 16-bit grey to 8 bits."""
    if picture.mode.startswith("I;16") or picture.mode == "I":
        return Image.fromarray((np.asarray(picture).astype(np.int64) >> 8).clip(0, 255).astype(np.uint8))
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        paper = Image.new("RGBA", picture.size, "white")
        paper.alpha_composite(picture)
        return paper
    return picture


def _damaged(name, member):
    return DataError(f"{name}: '{member.filename:.80}' is damaged or is not a PNG or JPEG image. Replace or remove it.")


def _description(name, pictures, n_others, sizes, size):
    words = [f"{len(pictures):,} greyscale images of {size[0]} x {size[1]} pixels from {name}."]
    n_resized = len(pictures) - sizes[size]
    if n_resized:
        words.append(
            f"{counted(n_resized, 'image')} had a different size and {plural(n_resized, 'was', 'were')} resized."
        )
    if n_others:
        words.append(f"{counted(n_others, 'other file')} ignored.")
    return " ".join(words)


IMAGES = FileFormat(
    "images", "a .zip with a folder of images for each class", ("zip",), read_image_zip, seconds=0.5, megabytes=5.0,
    is_zip=is_image_zip, is_table=False,
)  # fmt: skip
