"""A workspace that somebody has lived in for a while, made with the program itself."""

import json
import os
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Server:
    """A server of `rem serve`: where it listens, and a token of the main agent."""

    url: str
    token: str
    pid: int


class Workspace:
    """A temporary workspace, and the surroundings that `rem` runs in."""

    def __init__(self, rem: str):
        self.rem = os.path.abspath(rem)
        self._folder = tempfile.TemporaryDirectory()
        self.root = Path(self._folder.name) / "memory"
        self.env = {"PATH": os.environ["PATH"], "HOME": self._folder.name, "TZ": "UTC"}
        self.run("init", str(self.root))
        entities = self.root / "memory" / "graph" / "entities"
        entities.mkdir(parents=True, exist_ok=True)
        (entities / "project--atlas.md").write_text(
            "---\ntype: project\n---\n\n# Atlas\n\nMaps of the old town.\n\n## Relations\n\n- uses [[tool--quill]]\n"
        )
        (entities / "tool--quill.md").write_text("---\ntype: tool\n---\n\n# Quill\n\nDraws coast lines.\n")
        (self.root / "memory" / "2026-02-28.md").write_text("# 2026-02-28\n\nThe lighthouse was painted.\n")

    def run(self, *arguments: str) -> str:
        """A command that must succeed."""
        command = [self.rem, "-C", str(self.root), *arguments]
        done = subprocess.run(command, env=self.env, capture_output=True, text=True)
        assert done.returncode == 0, f"{arguments}: {done.stderr}"
        return done.stdout

    @contextmanager
    def server(self):
        """`rem serve` over the workspace, until the block ends; it must end by itself when it is asked to."""
        token = json.loads(self.run("--json", "serve", "token", "new", "python"))["token"]
        command = [self.rem, "-C", str(self.root), "--json", "serve", "--addr", "127.0.0.1:0"]
        process = subprocess.Popen(command, env=self.env, stdout=subprocess.PIPE, text=True)
        said = ""
        while not said.rstrip().endswith("}"):
            line = process.stdout.readline()
            assert line, said
            said += line
        try:
            yield Server(json.loads(said)["address"], token, process.pid)
        finally:
            process.terminate()
            assert process.wait(timeout=30) == 0

    def close(self) -> None:
        self._folder.cleanup()


# What every tool is called with. The id of a memory takes the place of ID.
CALLS = [
    ("memory_remember", {"text": "The harbor master prefers tea with honey"}),
    ("memory_search", {"query": "tea with honey", "limit": 5}),
    ("memory_get", {"id": "ID"}),
    ("memory_context", {"message": "What does the harbor master drink?", "session": "s1"}),
    ("memory_observe", {"text": "Remember that the lighthouse is white", "session": "s1"}),
    ("memory_observe", {"text": "I will keep that in mind.", "session": "s1", "role": "agent"}),
    ("memory_propose", {"text": "The bell rings at six", "confidence": "high"}),
    ("memory_proposals", {}),
    ("memory_proposals", {"action": "reject", "numbers": [1], "reason": "heard from afar"}),
    ("memory_reflect", {}),
    ("memory_graph", {"entity": "Atlas"}),
    ("memory_graph", {"entity": "Atlas", "to": "Quill"}),
    ("memory_graph", {"entity": "Quill", "backlinks": True}),
    ("memory_audit", {"tail": 5}),
    ("memory_status", {}),
    ("search", {"query": "old town maps"}),
    ("fetch", {"id": "entity:project--atlas"}),
    ("memory_forget", {"question": "tea with honey"}),
    ("memory_forget", {"ids": ["ID"]}),
]


def with_id(arguments: dict, memory: str) -> dict:
    """The arguments with the memory's id put in."""
    put = {"ID": memory}
    return {
        name: [put.get(each, each) for each in value] if isinstance(value, list) else put.get(value, value)
        if isinstance(value, str)
        else value
        for name, value in arguments.items()
    }
