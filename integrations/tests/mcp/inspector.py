"""The MCP Inspector's command line as a client: it lists everything and calls every tool, a process each."""

import json
import subprocess
import sys

from workspace import CALLS, Workspace, with_id


def main() -> None:
    rem, inspector = sys.argv[1:]
    place = Workspace(rem)

    def inspect(method: str, *options: str) -> dict:
        command = [inspector, "--cli", place.rem, "-C", str(place.root), "mcp", "--method", method, *options]
        done = subprocess.run(command, env=place.env, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, f"{method} {options}: {done.stdout}{done.stderr}"
        return json.loads(done.stdout)

    def call(tool: str, arguments: dict) -> dict:
        options = ["--tool-name", tool]
        for name, value in arguments.items():
            word = value if isinstance(value, str) else json.dumps(value)
            options += ["--tool-arg", f"{name}={word}"]
        return inspect("tools/call", *options)

    tools = [tool["name"] for tool in inspect("tools/list")["tools"]]
    assert {name for name, _ in CALLS} == set(tools), tools
    memory = ""
    for name, arguments in CALLS:
        result = call(name, with_id(arguments, memory))
        assert not result.get("isError"), (name, result)
        memory = result["structuredContent"]["id"] if name == "memory_remember" else memory
    assert inspect("resources/list")["resources"][0]["uri"] == "memory://core"
    assert len(inspect("resources/templates/list")["resourceTemplates"]) == 3
    read = inspect("resources/read", "--uri", "memory://entity/project--atlas")
    assert "Maps of the old town" in read["contents"][0]["text"]
    assert len(inspect("prompts/list")["prompts"]) == 3
    prompt = inspect("prompts/get", "--prompt-name", "recall", "--prompt-args", "question=What was painted?")
    assert "lighthouse" in prompt["messages"][0]["content"]["text"]
    assert "All is well" in place.run("verify")
    place.close()
    print(f"inspector: {len(tools)} tools, all called")


main()
