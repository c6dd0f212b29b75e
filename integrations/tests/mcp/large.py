"""A large workspace for measuring: notes in which every word stands in many."""

from pathlib import Path

WORDS = (
    "harbor boat violin database glacier trainer walnut calendar member season "
    "pepper lantern river copper market pillow garden signal timber window"
).split()


def word(number: int) -> str:
    return WORDS[number % len(WORDS)]


def write_notes(root: Path, files: int, sections: int) -> None:
    """Writes so many notes of so many sections into a workspace."""
    notes = root / "memory" / "reference"
    notes.mkdir(parents=True, exist_ok=True)
    for number in range(files):
        text = [f"# Note {number}\n"]
        for section in range(sections):
            one, two = word(number + section), word(number // 20 + section * 7)
            text.append(
                f"## {one} {section}\n\nThe {one} of {two} number {number} was moved to the {word(number // 400)} "
                f"on day {section}, as agreed with the {two} team.\n"
            )
        (notes / f"note-{number}.md").write_text("\n".join(text))
