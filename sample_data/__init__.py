"""Provide data sets: a catalogue, loaders, generators of 2D sets, and row splits.

data_set = sample_data.load("mnist-5k")
train, validation, test = sample_data.split_rows(data_set, seed=0)
"""

from sample_data.catalogue import Entry, catalogue, load
from sample_data.data_set import TEST, TRAIN, VALIDATION, DataSet
from sample_data.splits import split_rows

__all__ = ["TEST", "TRAIN", "VALIDATION", "DataSet", "Entry", "catalogue", "load", "split_rows"]
