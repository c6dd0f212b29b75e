"""The official Python SDK as a client: a whole session with the handshake, and one without (protocol 2026-07-28).

The SDK checks every structured answer against the output schema that the server declared.
"""

import asyncio
import json
import sys

from mcp import Client, ClientSession, StdioServerParameters, stdio_client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from workspace import CALLS, Workspace, with_id


def server(place: Workspace, *arguments: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=place.rem, args=["-C", str(place.root), "mcp", *arguments], env=place.env
    )


async def use(client) -> set[str]:
    """Calls every tool, reads every resource, gets every prompt; the same for both kinds of client."""
    tools = [tool.name for tool in (await client.list_tools()).tools]
    assert {name for name, _ in CALLS} == set(tools), tools
    memory = ""
    for name, arguments in CALLS:
        result = await client.call_tool(name, with_id(arguments, memory))
        assert not result.is_error, (name, result.content)
        answer = result.structured_content
        if name == "memory_context":
            assert result.content[0].text == answer["text"], name
        else:
            assert json.loads(result.content[0].text) == answer, name
        memory = answer["id"] if name == "memory_remember" else memory
    wrong = await client.call_tool("memory_search", {"question": "tea"})
    assert wrong.is_error and "`query` is missing" in wrong.content[0].text, wrong
    resources = [str(resource.uri) for resource in (await client.list_resources()).resources]
    assert resources == ["memory://core", "memory://pending-reflection"], resources
    assert len((await client.list_resource_templates()).resource_templates) == 3
    for uri in [*resources, "memory://entity/project--atlas", "memory://journal/2026-02-28"]:
        contents = (await client.read_resource(uri)).contents[0]
        assert contents.mime_type == "text/markdown" and contents.text, uri
    prompts = [prompt.name for prompt in (await client.list_prompts()).prompts]
    assert prompts == ["onboard", "recall", "reflect"], prompts
    recall = await client.get_prompt("recall", {"question": "What was painted?"})
    assert "lighthouse" in recall.messages[0].content.text
    return set(tools)


async def with_handshake(place: Workspace) -> None:
    async with stdio_client(server(place, "--agent", "python")) as (read, write):
        async with ClientSession(read, write) as session:
            hello = await session.initialize()
            assert hello.server_info.name == "remembrancer"
            await session.send_ping()
            tools = await use(session)
    print(f"python, protocol {hello.protocol_version}: {len(tools)} tools, all called")


async def without_handshake(place: Workspace) -> None:
    async with Client(server(place)) as client:
        tools = await use(client)
        version = client.protocol_version
    print(f"python, protocol {version}: {len(tools)} tools, all called")


async def as_sub_agent(place: Workspace) -> None:
    async with stdio_client(server(place, "--role", "sub", "--agent", "scout")) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            tools = (await session.list_tools()).tools
            assert all(tool.annotations.read_only_hint or tool.name == "memory_propose" for tool in tools)
            refused = await session.call_tool("memory_remember", {"text": "The bell rings at six"})
            assert refused.is_error and "sub-agent" in refused.content[0].text, refused
    print(f"python, sub-agent: {len(tools)} tools, changes refused")


def over_http(server, token: str):
    http = create_mcp_http_client(headers={"Authorization": f"Bearer {token}"})
    return streamable_http_client(f"{server.url}/mcp", http_client=http)


async def http_with_handshake(place: Workspace) -> None:
    with place.server() as server:
        async with over_http(server, server.token) as (read, write):
            async with ClientSession(read, write) as session:
                hello = await session.initialize()
                tools = await use(session)
        print(f"python over HTTP, protocol {hello.protocol_version}: {len(tools)} tools, all called")
        scout = json.loads(place.run("--json", "serve", "token", "new", "scout", "--role", "sub"))["token"]
        async with over_http(server, scout) as (read, write):
            async with ClientSession(read, write) as session:
                await session.initialize()
                offered = (await session.list_tools()).tools
                assert all(tool.annotations.read_only_hint or tool.name == "memory_propose" for tool in offered)
                refused = await session.call_tool("memory_remember", {"text": "The bell rings at six"})
                assert refused.is_error and "sub-agent" in refused.content[0].text, refused
        print(f"python over HTTP, a sub-agent's token: {len(offered)} tools, changes refused")


async def http_without_handshake(place: Workspace) -> None:
    with place.server() as server:
        async with Client(over_http(server, server.token)) as client:
            tools = await use(client)
            version = client.protocol_version
    print(f"python over HTTP, protocol {version}: {len(tools)} tools, all called")


def main() -> None:
    sessions = (with_handshake, without_handshake, as_sub_agent, http_with_handshake, http_without_handshake)
    for session in sessions:
        place = Workspace(sys.argv[1])
        asyncio.run(session(place))
        # The session is open still, as it is for a host that was closed.
        assert "All is well" in place.run("verify")
        place.close()


main()
