"""The texts that the model is learned on: the definitions and example sentences of WordNet 3.0."""

import random
from pathlib import Path


def texts(folder):
    """Every example sentence, and every definition with the words it defines, in an order that is always the same."""
    found = []
    for part in ("noun", "verb", "adj", "adv"):
        for line in (Path(folder) / f"data.{part}").read_text(encoding="utf-8").splitlines():
            if line.startswith("  ") or " | " not in line:
                continue
            fields, gloss = line.split(" | ", 1)
            fields = fields.split(" ")
            words = [fields[4 + 2 * n].split("(")[0].replace("_", " ") for n in range(int(fields[3], 16))]
            definition, *quoted = gloss.strip().split('"')
            definition = definition.strip("; ")
            found.append(f"{', '.join(words)}: {definition}")
            found.extend(example.strip() for example in quoted[::2] if len(example.strip()) > 12)
    found = sorted(set(found))
    random.Random(7).shuffle(found)
    return found
