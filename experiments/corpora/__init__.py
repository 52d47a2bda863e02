"""The corpora of the data folder, one file for each family: documents × words, and the class of each.

`catalogue.load_corpus` reads any of them by name as the same pair: a `Corpus` and the labels.
"""
