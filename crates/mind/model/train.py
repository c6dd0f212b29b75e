"""Learns `router.tsv`, the memory router's weights, from labelled sentences. README.md says how to run it.

A logistic regression with one class for each of the router's verdicts. What the rules say enters with a fixed weight
and only when a sentence is judged, not while learning: on sentences that the rules were written from they are nearly
always right, and learning would rely on them far more than new sentences bear out.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

VERDICTS = "pin rule howto decision event focus identity preference relation fact none".split()
STORES = dict(pin="vault", rule="core", howto="procedural", decision="episodic", event="episodic", focus="core",
              identity="core", preference="core", relation="semantic", fact="semantic", none="none")
JUDGED = ("held-out", "dev")   # sets whose sentences the rules were not written from
RULES = 0.035                  # what a tenth of the rules' sums counts; the same as in weights.rs
STRENGTH = 0.3                 # inverse strength of the L2 penalty
LEXICAL, SIGNAL, MEANING = 0.4, 0.6, 5.0   # scales: a larger one is penalised less
TRUST = {"written": 0.5, "tune": 0.7}      # rules fit these, and so do their signals
FOLDS = 8
LEAST = 2                      # sentences that a feature must be seen in
SMALLEST = 2                   # in hundredths: a feature without a weight of this size is left out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shown", type=Path, help="what the test show_what_is_learned_from prints")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("router.tsv"))
    options = parser.parse_args()
    lines = options.shown.read_text(encoding="utf-8").splitlines()
    sentences = [json.loads(line) for line in lines if line.startswith("{")]
    for sentence in sentences:
        sentence["verdict"] = verdict(sentence)

    matrix, names = features(sentences)
    wanted = np.array([VERDICTS.index(sentence["verdict"]) for sentence in sentences])
    trust = np.array([TRUST.get(sentence["set"], 1.0) for sentence in sentences])
    rules = RULES * np.array([sentence["rules"] for sentence in sentences], float)

    reduced = axes(matrix)
    cross_validate(sentences, reduced, wanted, trust, rules)

    learned = fit(reduced, wanted, trust)
    # Back from the axes to the features: the weights that lie in the space of the sentences.
    weights = matrix.T @ np.linalg.lstsq(reduced.T, learned[:-1], rcond=None)[0]
    scale = np.array([scale_of(name) for name in names])
    write(options.out, names, weights * scale[:, None], learned[-1])


def verdict(sentence):
    label = sentence["label"]
    word = label.get("word") or label["kind"]
    if word in VERDICTS:
        return word
    # Only the store is known: of its kinds the one that the rules take.
    kinds = [kind for kind in VERDICTS if STORES[kind] == word]
    return max(kinds, key=lambda kind: sentence["rules"][VERDICTS.index(kind)])


def scale_of(name):
    return MEANING if name.startswith("meaning:") else SIGNAL if name.startswith("s:") else LEXICAL


def features(sentences):
    seen = {}
    for sentence in sentences:
        for name in sentence["features"]:
            seen[name] = seen.get(name, 0) + 1
    names = sorted(name for name, times in seen.items() if times >= LEAST)
    place = {name: at for at, name in enumerate(names)}
    dimensions = len(sentences[0]["meaning"])
    matrix = np.zeros((len(sentences), len(names) + dimensions))
    for row, sentence in enumerate(sentences):
        for name in sentence["features"]:
            if name in place:
                matrix[row, place[name]] = scale_of(name)
        matrix[row, len(names):] = MEANING * np.array(sentence["meaning"])
    return matrix, names + [f"meaning:{at}" for at in range(dimensions)]


def axes(matrix):
    """The sentences along the main axes of their features: the same regression with far fewer numbers."""
    values, vectors = np.linalg.eigh(matrix @ matrix.T)
    kept = values > 1e-6 * values.max()
    return vectors[:, kept] * np.sqrt(values[kept])


def fit(matrix, wanted, trust):
    rows, columns = matrix.shape
    targets = np.eye(len(VERDICTS))[wanted]

    def loss(flat):
        weights = flat.reshape(columns + 1, len(VERDICTS))
        scores = matrix @ weights[:-1] + weights[-1]
        scores -= scores.max(1, keepdims=True)
        powers = np.exp(scores)
        total = powers.sum(1, keepdims=True)
        value = (trust * (np.log(total[:, 0]) - (scores * targets).sum(1))).sum()
        error = (powers / total - targets) * trust[:, None]
        gradient = np.vstack([matrix.T @ error + weights[:-1] / STRENGTH, error.sum(0)])
        return value + 0.5 / STRENGTH * (weights[:-1] ** 2).sum(), gradient.ravel()

    start = np.zeros((columns + 1) * len(VERDICTS))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 60})
    return found.x.reshape(columns + 1, len(VERDICTS))


def store_of(scores):
    shares = np.exp(scores - scores.max(1, keepdims=True))
    stores = sorted(set(STORES.values()))
    total = np.stack([shares[:, [STORES[each] == store for each in VERDICTS]].sum(1) for store in stores], 1)
    return np.array(stores)[total.argmax(1)]


def cross_validate(sentences, matrix, wanted, trust, rules):
    """Each judged sentence by weights learned without it and the other sentences of its fold."""
    judged = [at for at, each in enumerate(sentences) if each["set"] in JUDGED]
    order = np.random.RandomState(7).permutation(judged)
    order = sorted(order, key=lambda at: (sentences[at]["label"]["store"], sentences[at]["language"]))
    fold = np.full(len(sentences), -1)
    for place, at in enumerate(order):
        fold[at] = place % FOLDS
    scores = np.zeros((len(sentences), len(VERDICTS)))
    for each in range(FOLDS):
        learning, tested = fold != each, fold == each
        weights = fit(matrix[learning], wanted[learning], trust[learning])
        scores[tested] = matrix[tested] @ weights[:-1] + weights[-1]
    answered = store_of(scores + rules)
    alone = np.array([STORES[VERDICTS[at]] for at in rules.argmax(1)])
    right = np.array([STORES[each["verdict"]] for each in sentences])

    def report(title, chosen):
        chosen = np.array(chosen)
        by_rules, by_both = (alone == right)[chosen], (answered == right)[chosen]
        share = 100 * by_both.mean()
        print(f"{title:<24} rules {by_rules.sum():>4}  cross-validated {by_both.sum():>4} / {len(chosen)} ({share:.1f} %)")

    report("all", judged)
    for name in JUDGED:
        report(name, [at for at in judged if sentences[at]["set"] == name])
    # Odd numbers of dev: nobody had read them when sentences were written for teaching.
    report("dev, odd numbers", [at for at in judged if sentences[at]["set"] == "dev"
                                and int(sentences[at]["label"]["id"].rsplit("-", 1)[1]) % 2])
    for language in ("en", "de", "ko", "zh"):
        report(language, [at for at in judged if sentences[at]["label"]["language"] == language])
    for store in sorted(set(right)):
        report(store, [at for at in judged if right[at] == store])
    best = np.array([max((each for each in VERDICTS if STORES[each] == answered[at]),
                         key=lambda kind: (scores + rules)[at][VERDICTS.index(kind)]) for at in range(len(sentences))])
    kept = [at for at in judged if answered[at] == right[at] != "none"]
    same = sum(best[at] == sentences[at]["verdict"] for at in kept)
    print(f"kind, where the store is right: {same} / {len(kept)}")
    stores = ["core", "episodic", "semantic", "procedural", "vault", "none"]
    for wanted_store in stores:
        row = [sum(right[at] == wanted_store and answered[at] == store for at in judged) for store in stores]
        print(f"{wanted_store:<12}" + "".join(f"{count:>6}" for count in row))


def write(path, names, weights, bias):
    rows = np.rint(100 * weights).astype(int)
    with path.open("w", encoding="utf-8", newline="\n") as out:
        put = lambda name, row: out.write(f"{name}\t{' '.join(map(str, row))}\n")
        put("any", np.rint(100 * bias).astype(int))
        for name, row in zip(names, rows):
            if name.startswith("meaning:") or abs(row).max() >= SMALLEST:
                put(name, row)


if __name__ == "__main__":
    main()
