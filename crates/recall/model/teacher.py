"""all-MiniLM-L6-v2 in numpy, with BERT's uncased WordPiece: the model that `build.py` learns from."""

import json
import unicodedata
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

CJK = [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FA1F)]
LONGEST_WORD = 100
LAYERS, HEADS, WIDTH = 6, 12, 384
HEAD = WIDTH // HEADS


class WordPiece:
    """Text to token numbers. `crates/recall/src/embed/wordpiece.rs` does the same in Rust."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.number = {token: number for number, token in enumerate(tokens)}
        self.unknown = self.number["[UNK]"]

    def words(self, text):
        word = []
        for mark in unicodedata.normalize("NFD", text.lower()):
            category = unicodedata.category(mark)
            if category.startswith("M") or mark == "\ufffd" or (category in ("Cc", "Cf") and not mark.isspace()):
                continue
            alone = not (mark.isalnum() or mark.isspace()) or any(a <= ord(mark) <= b for a, b in CJK)
            if (alone or mark.isspace()) and word:
                yield "".join(word)
                word = []
            if alone:
                yield mark
            elif not mark.isspace():
                word.append(mark)
        if word:
            yield "".join(word)

    def numbers(self, text):
        found = []
        for word in self.words(text):
            found.extend(self.pieces(word))
        return found

    def pieces(self, word):
        if len(word) > LONGEST_WORD:
            return [self.unknown]
        found, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = word[start:end] if start == 0 else "##" + word[start:end]
                if piece in self.number:
                    found.append(self.number[piece])
                    break
            else:
                return [self.unknown]
            start = end
        return found


class Teacher:
    """The transformer. All texts of a batch have the same number of tokens, so there is no mask."""

    def __init__(self, folder):
        folder = Path(folder)
        vocabulary = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
        self.wordpiece = WordPiece(sorted(vocabulary, key=vocabulary.get))
        self.tensors = load_file(folder / "model.safetensors")
        self.first, self.last = self.wordpiece.number["[CLS]"], self.wordpiece.number["[SEP]"]

    def states(self, numbers):
        """Last hidden states of a batch: (texts, tokens) in, (texts, tokens, 384) out."""
        texts, length = numbers.shape
        state = (self.tensors["embeddings.word_embeddings.weight"][numbers]
                 + self.tensors["embeddings.position_embeddings.weight"][:length]
                 + self.tensors["embeddings.token_type_embeddings.weight"][0])
        state = self.norm(state.reshape(-1, WIDTH), "embeddings.LayerNorm")
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}"
            query, key, value = (
                self.linear(state, f"{name}.attention.self.{part}")
                .reshape(texts, length, HEADS, HEAD).transpose(0, 2, 1, 3)
                for part in ("query", "key", "value"))
            weight = query @ key.transpose(0, 1, 3, 2) / np.float32(HEAD ** 0.5)
            weight = np.exp(weight - weight.max(-1, keepdims=True))
            weight /= weight.sum(-1, keepdims=True)
            mixed = (weight @ value).transpose(0, 2, 1, 3).reshape(-1, WIDTH)
            state = self.norm(self.linear(mixed, f"{name}.attention.output.dense") + state,
                              f"{name}.attention.output.LayerNorm")
            inner = gelu(self.linear(state, f"{name}.intermediate.dense"))
            state = self.norm(self.linear(inner, f"{name}.output.dense") + state, f"{name}.output.LayerNorm")
        return state.reshape(texts, length, WIDTH)

    def sentence_vectors(self, texts, longest=128, rows=2048, say=None):
        """Unit-length sentence vectors, as sentence-transformers computes them: the mean over all states."""
        numbered = [[self.first] + self.wordpiece.numbers(text)[: longest - 2] + [self.last] for text in texts]
        vectors = np.empty((len(texts), WIDTH), np.float32)
        for batch in by_length(numbered, rows):
            mean = self.states(np.array([numbered[index] for index in batch])).mean(axis=1)
            vectors[batch] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
            if say:
                say(len(batch))
        return vectors

    def token_vectors(self, rows=512):
        """Each token alone between [CLS] and [SEP]: its own last hidden state."""
        count = len(self.wordpiece.tokens)
        vectors = np.empty((count, WIDTH), np.float32)
        for start in range(0, count, rows):
            middle = np.arange(start, min(start + rows, count))
            batch = np.stack([np.full_like(middle, self.first), middle, np.full_like(middle, self.last)], axis=1)
            vectors[middle] = self.states(batch)[:, 1]
        return vectors

    def linear(self, state, name):
        return state @ self.tensors[f"{name}.weight"].T + self.tensors[f"{name}.bias"]

    def norm(self, state, name):
        state = state - state.mean(-1, keepdims=True)
        state /= np.sqrt((state * state).mean(-1, keepdims=True) + np.float32(1e-12))
        return state * self.tensors[f"{name}.weight"] + self.tensors[f"{name}.bias"]


def gelu(x):
    """By tanh: within 5e-4 of the exact function, and much faster in numpy."""
    return np.float32(0.5) * x * (1 + np.tanh(np.float32(0.7978845608) * (x + np.float32(0.044715) * x * x * x)))


def by_length(numbered, rows):
    """Batches of indices of texts of equal length, at most `rows` tokens each."""
    order = sorted(range(len(numbered)), key=lambda index: len(numbered[index]))
    batch = []
    for index in order:
        length = len(numbered[index])
        if batch and (len(numbered[batch[0]]) != length or (len(batch) + 1) * length > rows):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
