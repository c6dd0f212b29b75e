"""Learns `extract.tsv`, the extractors' weights, from labelled sessions. README.md says how to run it.

A logistic regression for each kind. A sentence is of a kind where its note meets a label of that kind; an optional label counts less.
From which sum on a sentence is taken is chosen by cross-validation, whole sessions at a time, for the precision that is aimed at.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

KINDS = "lesson procedure decision person fact".split()
STRENGTH = 0.25                # inverse strength of the L2 penalty
SCALES = {"m": 0.7, "t": 0.7, "q": 0.7, "b": 0.5, "a": 0.5, "n": 0.5, "c": 0.5, "s": 0.25}   # a larger one is penalised less
TRUST = {"tune": 0.7}          # rules and wordings were written from it
OPTIONAL = 0.6                 # what an optional label counts
FOLDS, SEEDS = 10, 6
LEAST = 2                      # sentences that a name must be seen in
PRECISION = 0.85               # aimed at in cross-validation; what is kept for good asks for more (`lifecycle.mining_confidence`)
SMALLEST, LARGEST = -2.0, 3.0  # sums between which the least one is sought
# Marks for which a kind is never taken: `never_by_weight` in the extractors.
NEVER = {
    "lesson": {"Supposes", "Tells", "Secret"},
    "procedure": {"Supposes", "Tells", "Secret"},
    "person": {"Supposes", "Tells", "Secret", "Nobody"},
    "decision": {"Asks", "Supposes", "Hedges", "Reports", "Tells", "Secret", "Alternatives"},
    "fact": {"Asks", "Supposes", "Tells", "Secret", "Hedges", "Reports"},
}
# Marks of what is only talk, unless it was asked for or shows one of the second: `talk` and `unless` in the extractors.
TALK = {
    "lesson": ({"News"}, {"Learned", "Must", "Rule"}),
    "decision": ({"First"}, {"Settles", "Decides", "Picks", "Takes", "Accepts", "Undoes", "Replaces", "We", "Must", "Short"}),
    "person": ({"First"}, {"Own", "Trait", "Role", "Taste", "Kin", "Named", "Manner", "Pronoun", "Resolved", "Short", "Always"}),
    "procedure": (set(), set()),
    "fact": (set(), set()),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shown", type=Path, help="what the test show_what_is_learned_from prints")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("extract.tsv"))
    parser.add_argument("--precision", type=float, default=PRECISION)
    options = parser.parse_args()
    lines = [json.loads(line) for line in options.shown.read_text(encoding="utf-8").splitlines() if line.startswith("{")]
    sentences = [line for line in lines if "evidence" in line]
    wanted = [line for line in lines if "required" in line]

    matrix, names = table(sentences)
    sums = np.mean([cross_validated(sentences, matrix, seed) for seed in range(SEEDS)], axis=0)
    sums[barred(sentences)] = -99.0
    asked = least_sums(sentences, wanted, sums, options.precision)
    slope, offset = calibration(sentences, sums, asked)
    report(sentences, wanted, sums, asked, slope, offset)

    weights = np.stack([fit(matrix, *targets(sentences, kind)) for kind in KINDS], axis=1)
    scale = np.array([scale_of(name) for name in names])
    write(options.out, names, weights[:-1] * scale[:, None], weights[-1], asked, slope, offset)


def scale_of(name):
    return 1.0 if name in ("c:size", "c:accepted", "c:flagged") else SCALES[name[0]]


def table(sentences):
    seen = {}
    for sentence in sentences:
        for name in sentence["evidence"]:
            seen[name] = seen.get(name, 0) + 1
    names = sorted(name for name, times in seen.items() if times >= LEAST)
    place = {name: at for at, name in enumerate(names)}
    matrix = np.zeros((len(sentences), len(names)))
    for row, sentence in enumerate(sentences):
        for name, value in sentence["evidence"].items():
            if name in place:
                matrix[row, place[name]] = scale_of(name) * value
    return matrix, names


def outdated(sentence, kind):
    return sentence["outdated"][0 if kind == "decision" else 1]


def targets(sentences, kind):
    wanted, trust = np.zeros(len(sentences)), np.ones(len(sentences))
    for at, sentence in enumerate(sentences):
        labels = [label for label in sentence["met"] if label[1] == kind]
        if labels:
            wanted[at] = not outdated(sentence, kind)
            trust[at] = 1.0 if any(label[2] for label in labels) else OPTIONAL
        trust[at] *= TRUST.get(sentence["set"], 1.0)
    return wanted, trust


def fit(matrix, wanted, trust):
    def loss(flat):
        scores = matrix @ flat[:-1] + flat[-1]
        value = (trust * (np.logaddexp(0, scores) - wanted * scores)).sum()
        error = trust * (1 / (1 + np.exp(-scores)) - wanted)
        return (value + 0.5 / STRENGTH * (flat[:-1] ** 2).sum(),
                np.append(matrix.T @ error + flat[:-1] / STRENGTH, error.sum()))

    start = np.zeros(matrix.shape[1] + 1)
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x


def cross_validated(sentences, matrix, seed):
    """The sums of each sentence by weights learned without its session and the others of its fold."""
    sessions = sorted({sentence["session"] for sentence in sentences})
    order = np.random.RandomState(seed).permutation(len(sessions))
    fold = {sessions[at]: place % FOLDS for place, at in enumerate(order)}
    folds = np.array([fold[sentence["session"]] for sentence in sentences])
    sums = np.zeros((len(sentences), len(KINDS)))
    for column, kind in enumerate(KINDS):
        wanted, trust = targets(sentences, kind)
        for each in range(FOLDS):
            learning, tested = folds != each, folds == each
            weights = fit(matrix[learning], wanted[learning], trust[learning])
            sums[tested, column] = matrix[tested] @ weights[:-1] + weights[-1]
    return sums


def barred(sentences):
    has = lambda sentence, *marks: any("m:" + mark in sentence["evidence"] for mark in marks)
    flagged = lambda sentence: "c:flagged" in sentence["evidence"]
    talk = lambda sentence, kind: has(sentence, *TALK[kind][0]) and not has(sentence, *TALK[kind][1]) or has(sentence, "Muses")
    return np.array([[outdated(sentence, kind) or has(sentence, *NEVER[kind]) or not flagged(sentence) and talk(sentence, kind)
                      for kind in KINDS] for sentence in sentences])


def taken(sums, asked):
    margins = sums - asked
    best = margins.argmax(1)
    return [KINDS[kind] if margins[at, kind] >= 0 else None for at, kind in enumerate(best)]


def counts(sentences, wanted, chosen, kind, is_in):
    mine = [each for each, of in zip(sentences, chosen) if of == kind and is_in(each)]
    right = sum(any(label[1] == kind for label in each["met"]) for each in mine)
    met = {(each["session"], label[0]) for each in mine for label in each["met"] if label[1] == kind and label[2]}
    required = [each for each in wanted if each["kind"] == kind and is_in(each)]
    return right, len(mine), sum((each["session"], each["required"]) in met for each in required), len(required)


def least_sums(sentences, wanted, sums, precision):
    """For each kind the sum from which on the precision is kept and most is found; all kinds together, since they compete."""
    asked = np.full(len(KINDS), 1.0)
    for _ in range(4):
        for column, kind in enumerate(KINDS):
            found = []
            for least in np.arange(SMALLEST, LARGEST, 0.1):
                asked[column] = least
                right, all_taken, met, _ = counts(sentences, wanted, taken(sums, asked), kind, lambda _: True)
                if all_taken and right / all_taken >= precision:
                    found.append((met, least))
            asked[column] = max(found)[1] if found else LARGEST
    return asked


def calibration(sentences, sums, asked):
    """Slope and offset of the likelihood that what is taken is right, for all kinds alike, and of each kind's own level."""
    chosen = taken(sums, asked - 1.0)
    at = [row for row, kind in enumerate(chosen) if kind]
    column = [KINDS.index(chosen[row]) for row in at]
    right = np.array([any(label[1] == chosen[row] for label in sentences[row]["met"]) for row in at], float)
    over = np.array([sums[row, of] - asked[of] for row, of in zip(at, column)])

    def loss(flat):
        scores = flat[0] * over + flat[1]
        return (np.logaddexp(0, scores) - right * scores).sum() + 0.5 * (flat[0] - 1) ** 2

    slope, level = minimize(loss, np.array([1.0, 1.0]), method="BFGS").x
    return np.full(len(KINDS), slope), level - slope * asked


def report(sentences, wanted, sums, asked, slope, offset):
    chosen = taken(sums, asked)
    print("asked", dict(zip(KINDS, asked.round(1))))
    sets = {each["set"]: lambda other, name=each["set"]: other["set"] == name for each in sentences}
    for title, is_in in [*sets.items(), ("all", lambda each: True)]:
        print(f"{title}, cross-validated")
        total = np.zeros(4, int)
        for kind in KINDS + ["all"]:
            row = total if kind == "all" else np.array(counts(sentences, wanted, chosen, kind, is_in))
            total = total if kind == "all" else total + row
            print(f"  {kind:<10} precision {row[0] / max(row[1], 1):.2f} ({row[0]} of {row[1]})"
                  f"  recall {row[2] / max(row[3], 1):.2f} ({row[2]} of {row[3]})")
    rows = [(1 / (1 + np.exp(-slope[of] * sums[at, of] - offset[of])), any(label[1] == kind for label in sentences[at]["met"]))
            for at, kind in enumerate(chosen) if kind for of in [KINDS.index(kind)]]
    for low, high in ((0, 0.8), (0.8, 0.85), (0.85, 0.9), (0.9, 0.95), (0.95, 1.01)):
        part = [right for likely, right in rows if low <= likely < high]
        print(f"confidence from {low}: right {sum(part)} of {len(part)}")


def write(path, names, weights, bias, asked, slope, offset):
    with path.open("w", encoding="utf-8", newline="\n") as out:
        put = lambda name, row: out.write(f"{name}\t{' '.join(str(int(round(100 * each))) for each in row)}\n")
        put("any", bias)
        put("asked", asked)
        put("slope", slope)
        put("offset", offset)
        for name, row in zip(names, weights):
            if np.rint(100 * row).any():
                put(name, row)


if __name__ == "__main__":
    main()
