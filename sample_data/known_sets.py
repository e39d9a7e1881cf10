"""Describe well-known public data sets in a data folder. The data sets are recognised by name and counts."""

from dataclasses import dataclass

_UCI = "UCI Machine Learning Repository, CC BY 4.0 according to its site"
_PMLB = "as the original source; redistributed by PMLB (MIT)"


@dataclass(frozen=True)
class Known:
    """Description of a public data set.

    counts : (n_rows, n_features, n_classes).
    """

    counts: tuple[int, int, int]
    title: str
    summary: str
    source: str
    licence: str

    @property
    def description(self) -> str:
        return self.summary


def known_set(name: str, counts: tuple[int, int, int]) -> Known | None:
    """Return the description of the data set `name`, or None if it is unknown or has other counts."""
    known = KNOWN.get(name)
    return known if known is not None and known.counts == tuple(counts) else None


KNOWN = {
    "letter": Known(
        (20000, 16, 26),
        "Letters",
        "Capital letters in 20 fonts, randomly distorted and described by 16 integer measurements of their pixels. "
        "In the published split, the first 16000 rows are training rows.",
        "P. W. Frey and D. J. Slate, Machine Learning 6(2), 1991",
        _UCI,
    ),
    "pendigits": Known(
        (10992, 16, 10),
        "Pen digits",
        "Digits written on a tablet: eight points (x, y) along the stroke. The test set has other writers.",
        "F. Alimoglu and E. Alpaydin, 1996",
        _UCI,
    ),
    "wdbc": Known(
        (569, 30, 2),
        "Breast cancer (Wisconsin, diagnostic)",
        "Shape and texture of cell nuclei in images of a fine needle aspirate. Same rows as breast-cancer.",
        "W. N. Street, W. H. Wolberg and O. L. Mangasarian, 1993",
        _UCI,
    ),
    "spambase": Known(
        (4601, 57, 2),
        "Spam mail",
        "Word and character frequencies of e-mails in per cent, and lengths of runs of capital letters.",
        "M. Hopkins, E. Reeber, G. Forman and J. Suermondt, 1999",
        _UCI,
    ),
    "banknote": Known(
        (1372, 4, 2),
        "Banknotes",
        "Genuine or forged banknotes, described by four statistics of the wavelet transform of each image.",
        "V. Lohweg, 2012",
        _UCI,
    ),
    "blood_transfusion": Known(
        (748, 4, 2),
        "Blood transfusion",
        "Whether a donor gave blood again. The features are recency, frequency, amount and months since the first "
        "donation. The "
        "amount is 250 times the frequency.",
        "I-C. Yeh et al., Expert Systems with Applications, 2009",
        _UCI,
    ),
    "balance_scale": Known(
        (625, 4, 3),
        "Balance scale",
        "Direction in which a scale tips, for all combinations of two weights and two distances from 1 to 5.",
        "R. S. Siegler, 1976",
        _UCI,
    ),
    "connect4": Known(
        (67557, 42, 3),
        "Connect four",
        "Positions after eight moves, without a winner or a forced move. The target is the result under perfect play. "
        "Squares "
        "are coded 0 (blank), 1 (o) or 2 (x, the first player).",
        "J. Tromp, 1995",
        _UCI,
    ),
    "covertype_20k": Known(
        (20000, 54, 7),
        "Forest cover, first 20000 rows",
        "Forest type of a 30 m square. The features are height, slope, distances, shade, wilderness area and soil. "
        "The rows are the balanced training and validation sets and the first 4880 test rows.",
        "J. A. Blackard and D. J. Dean, 1999; copyright Jock A. Blackard and Colorado State University",
        _UCI,
    ),
    "electricity": Known(
        (45312, 8, 2),
        "Electricity prices",
        "Whether the electricity price in New South Wales rises or falls, for every half hour. Rows are in time "
        "order. If they are split at random, the tree is trained on rows from the future.",
        "M. Harries, 1999; J. Gama et al., SBIA 2004; OpenML 151",
        "not stated",
    ),
    "magic": Known(
        (19020, 10, 2),
        "MAGIC telescope",
        "Gamma rays or hadron showers (simulated), described by the shape of the image in a Cherenkov telescope.",
        "R. K. Bock, 2007",
        _PMLB,
    ),
    "shuttle": Known(
        (58000, 9, 7),
        "Space shuttle",
        "Radiator positions of the space shuttle, from nine sensor readings. One class has four fifths of the rows.",
        "Statlog project",
        _PMLB,
    ),
    "kddcup99_10pct": Known(
        (494020, 41, 23),
        "Network intrusions (KDD Cup 1999, 10 %)",
        "Connections to a simulated network: normal, or one of 22 attacks. Many rows are duplicates, and "
        "categories are coded as integers. Use it for timing only.",
        "KDD Cup 1999",
        _PMLB,
    ),
}
