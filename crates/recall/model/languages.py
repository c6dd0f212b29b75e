"""Words of other languages in the space of the English table, by way of Universal Sentence Encoder Multilingual 3.

That encoder gives a word of sixteen languages and its translation similar vectors. A linear map, learned on the English
words that both models know, takes its 512 numbers to ours.
"""

import unicodedata
from pathlib import Path

import numpy as np

MOST = {"HAN": 8_000, "HANGUL": 2_000, "CYRILLIC": 5_500, "ARABIC": 2_800, "LATIN": 14_000}
RIDGE = 5.0
SIF = 1e-4
SINGLE_HAN = 0.3  # a Chinese character by itself says less than a word


def fold(word):
    """As `wordpiece.rs` sees it: lower case, decomposed, accents off."""
    return "".join(mark for mark in unicodedata.normalize("NFD", word.lower())
                   if not unicodedata.category(mark).startswith("M"))


def script(word):
    name = unicodedata.name(word[0], "").split(" ")[0].removesuffix("-PROLONGED")
    return "HAN" if name in ("CJK", "HIRAGANA", "KATAKANA") else name


def candidates(model):
    """The whole words of a sentencepiece vocabulary, frequent ones first, with their rank: (word, rank)."""
    seen = set()
    for rank, piece in enumerate(pieces(Path(model).read_bytes())):
        word = piece.lstrip("\u2581").lower()
        if not word.isalpha() or word in seen:
            continue
        if script(word) == "HAN" or (piece.startswith("\u2581") and len(word) > 1):
            seen.add(word)
            yield word, rank


def pieces(data):
    """The pieces of a sentencepiece model: field 1 of the message, and field 1 of each."""
    for field, value in fields(data):
        if field == 1:
            yield next(inner for number, inner in fields(value) if number == 1).decode()


def fields(data):
    """The fields of a protobuf message: (number, value), with None for a value of fixed width."""
    place = 0

    def varint():
        nonlocal place
        value = shift = 0
        while True:
            byte = data[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while place < len(data):
        key = varint()
        kind = key & 7
        if kind == 0:
            yield key >> 3, varint()
        elif kind == 2:
            length = varint()
            place += length
            yield key >> 3, data[place - length:place]
        else:
            place += 4 if kind == 5 else 8
            yield key >> 3, None


def words(model, english, encode):
    """(names, vectors, weights) of words that are not in `english`, a dictionary from whole words to unit vectors."""
    known, other, count, names = [], [], dict.fromkeys(MOST, 0), set()
    for word, rank in candidates(model):
        name, kind = fold(word), script(word)
        if name in english:
            if word == name and len(word) > 2:
                known.append(word)
        elif count.get(kind, 0) < MOST.get(kind, 0) and name not in names:
            names.add(name)
            count[kind] += 1
            other.append((name, word, rank))
    states = encode([*known, *(word for _, word, _ in other)])
    states = states - states[:len(known)].mean(axis=0)
    ours = np.stack([english[word] for word in known])
    there = states[:len(known)]
    way = np.linalg.solve(there.T @ there + RIDGE * np.eye(there.shape[1]), there.T @ ours)
    vectors = states[len(known):] @ way
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    ranks = np.array([rank for _, _, rank in other])
    weights = SIF / (SIF + 1 / ((ranks + 2.7) * np.log(30_000)))
    weights *= [SINGLE_HAN if len(name) == 1 else 1.0 for name, _, _ in other]
    return [name for name, _, _ in other], vectors.astype(np.float32), weights.astype(np.float32)
