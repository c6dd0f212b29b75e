"""Has schemathesis ask a server of `rem serve` whatever the OpenAPI document allows and forbids: `conformance.py REM SCHEMATHESIS SECONDS`.

Seeds are fixed, so that a failure comes again. Left out is the check that everything the document allows is done: whether an id is known
or a time makes sense, no schema says.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "mcp"))
from workspace import Workspace  # noqa: E402


def main() -> None:
    place = Workspace(sys.argv[1])
    place.run("remember", "The harbor master prefers tea with honey")
    with place.server() as server, tempfile.TemporaryDirectory() as folder:
        tested = subprocess.run(
            [
                sys.argv[2],
                "run",
                f"{server.url}/api/v1/openapi.json",
                f"--header=Authorization: Bearer {server.token}",
                "--phases=coverage,fuzzing",
                "--exclude-checks=positive_data_acceptance",
                "--warnings=off",
                "--max-examples=20",
                f"--max-time={sys.argv[3]}",
                "--seed=1",
                "--continue-on-failure",
            ],
            cwd=folder,
            env={**place.env, "NO_COLOR": "1"},
            capture_output=True,
            text=True,
        )
        if tested.returncode != 0:
            print(tested.stdout, tested.stderr, sep="\n")
            raise SystemExit("the server does not keep to its OpenAPI document")
        print("schemathesis:", next(line for line in tested.stdout.splitlines() if "generated" in line).strip())
    assert "All is well" in place.run("verify")
    place.close()


main()
