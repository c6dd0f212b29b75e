"""What `rem serve` answers on a large workspace: `measure.py REM [FILES] [SECTIONS] [CLIENTS] [SECONDS]`, for a release build, on a quiet machine.

So many clients, each a process with one connection, search one after the other as fast as they are answered. Prints requests a second, the
time of a request by the clock, and what the server's processor took for one. Linux alone: processor time is read from /proc. Nothing is
asserted.
"""

import http.client
import json
import multiprocessing
import os
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "mcp"))
from large import word, write_notes  # noqa: E402
from workspace import Workspace  # noqa: E402


def processor(pid: int) -> float:
    """Seconds of processor time of a process so far, all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def client(url: str, token: str, number: int, seconds: float, results) -> None:
    connection = http.client.HTTPConnection(url.removeprefix("http://"))
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    times, until = [], time.perf_counter() + seconds
    while time.perf_counter() < until:
        number += 1
        query = f"What became of the {word(number)} of the {word(number * 3 + 1)} after day {number % 10}?"
        begun = time.perf_counter()
        connection.request("POST", "/api/v1/search", json.dumps({"query": query}), headers)
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, body
        times.append(time.perf_counter() - begun)
    results.put(times)


def main() -> None:
    files, sections, clients, seconds = [
        int(sys.argv[at]) if len(sys.argv) > at else default for at, default in ((2, 10_000), (3, 1), (4, 8), (5, 10))
    ]
    place = Workspace(sys.argv[1])
    write_notes(place.root, files, sections)
    place.run("index")
    with place.server() as server:
        for warm_up in (True, False):
            results = multiprocessing.Queue()
            before = processor(server.pid)
            asking = [
                multiprocessing.Process(
                    target=client, args=(server.url, server.token, 1000 * each, 2 if warm_up else seconds, results)
                )
                for each in range(clients)
            ]
            for process in asking:
                process.start()
            times = sorted(time for _ in asking for time in results.get())
            for process in asking:
                process.join()
            took = processor(server.pid) - before
        p50, p95 = times[len(times) // 2] * 1000, times[len(times) * 95 // 100] * 1000
        print(
            f"{clients} clients, {files} files of {sections} sections: {len(times) / seconds:.0f} searches a second; "
            f"p50 {p50:.1f} ms, p95 {p95:.1f} ms by the clock; {took / len(times) * 1000:.2f} ms of the processor each"
        )
    place.close()


main()
