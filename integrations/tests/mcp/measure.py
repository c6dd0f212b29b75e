"""What `rem mcp` costs on a large workspace: `measure.py REM [FILES] [SECTIONS]`, for a release build, on a quiet machine.

Prints the time to the answer of `initialize` (fresh processes), the round trip of a call by the clock and of the server's processor,
and what the server holds in memory. Linux alone: processor time and memory are read from /proc. Nothing is asserted.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from large import word, write_notes

class Server:
    def __init__(self, rem: str, root: Path, env: dict):
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(
            [rem, "-C", str(root), "mcp"],
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.number = 0
        client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "m", "version": "1"}}
        self.request("initialize", client)
        self.ready = time.perf_counter() - self.begun
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized", "params": {}})

    def say(self, message: dict) -> None:
        self.process.stdin.write((json.dumps(message) + "\n").encode())
        self.process.stdin.flush()

    def request(self, method: str, params: dict) -> dict:
        self.number += 1
        self.say({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            message = json.loads(self.process.stdout.readline())
            if message.get("id") == self.number:
                return message["result"]

    def call(self, tool: str, arguments: dict) -> dict:
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        assert not result.get("isError"), result
        return result["structuredContent"]

    def processor(self) -> float:
        """Seconds of processor time of the threads there are; what short-lived ones took, as those of a walk over all files, is not in it."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    def memory(self, what: str) -> float:
        """Megabytes."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(what)) / 1024

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def told(name: str, clock: list, processor: list) -> None:
    def at(times: list, percent: int) -> float:
        return sorted(times)[len(times) * percent // 100] * 1000

    print(
        f"{name}: p50 {at(clock, 50):.1f} ms, p95 {at(clock, 95):.1f} ms by the clock; "
        f"{at(processor, 50):.1f} and {at(processor, 95):.1f} ms of the processor"
    )


def measured(server: Server, name: str, rounds: int, call, pause: float = 0.0) -> None:
    call(0)
    clock, processor = [], []
    for number in range(1, rounds + 1):
        time.sleep(pause)
        before, begun = server.processor(), time.perf_counter()
        call(number)
        clock.append(time.perf_counter() - begun)
        processor.append(max(0.0, server.processor() - before))
    told(name, clock, processor)


def main() -> None:
    rem = os.path.abspath(sys.argv[1])
    files = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    sections = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "memory"
        env = {"PATH": os.environ["PATH"], "HOME": folder, "TZ": "UTC"}
        subprocess.run([rem, "init", str(root)], env=env, check=True, stdout=subprocess.DEVNULL)
        write_notes(root, files, sections)
        server = Server(rem, root, env)
        print(f"initialize, nothing indexed or committed yet: {server.ready * 1000:.0f} ms")
        begun = time.perf_counter()
        answer = server.call("memory_search", {"query": "what became of the harbor boat"})
        behind = answer["freshness"]["files_changed_since"]
        print(f"a search meanwhile: {time.perf_counter() - begun:.1f} s, {behind} files missing, as it says")
        while server.call("memory_search", {"query": "harbor"})["freshness"]["files_changed_since"]:
            time.sleep(0.2)
        print(f"indexed after {time.perf_counter() - server.begun:.1f} s")
        server.end()
        ready = []
        for _ in range(20):
            server = Server(rem, root, env)
            ready.append(server.ready)
            server.end()
        print(f"initialize: median {statistics.median(ready) * 1000:.1f} ms, slowest of 20 {max(ready) * 1000:.1f} ms")

        server = Server(rem, root, env)

        def search(number: int) -> None:
            query = f"What became of the {word(number)} of the {word(number * 3 + 1)} after day {number % 10}?"
            server.call("memory_search", {"query": query})

        def remember(number: int) -> None:
            text = f"The {word(number)} number {number} stands at pier {number * 7}"
            server.call("memory_remember", {"text": text, "store": "episodic"})

        def context(number: int) -> None:
            server.call("memory_context", {"message": f"Where is the {word(number)} of the {word(number * 3 + 1)}?"})

        measured(server, "memory_status", 30, lambda _: server.call("memory_status", {}))
        measured(server, "memory_search, one after the other", 300, search)
        measured(server, "memory_search, after a pause of more than a second", 20, search, pause=1.1)
        print(f"resident after searching: {server.memory('VmRSS'):.0f} MB, most {server.memory('VmHWM'):.0f} MB")
        measured(server, "memory_remember", 60, remember)
        measured(server, "memory_context", 20, context)
        print(f"resident after everything: {server.memory('VmRSS'):.0f} MB, most {server.memory('VmHWM'):.0f} MB")
        server.end()


main()
