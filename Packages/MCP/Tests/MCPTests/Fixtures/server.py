# SPDX-License-Identifier: MIT
"""A server over the official Python SDK, for the tests: `server.py stdio`, or `server.py http [json] [store]`.

Over HTTP its first line of output is its port, and it ends with its standard input.
"""

import asyncio
import os
import socket
import sys
import threading
from typing import Annotated

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.streamable_http import EventMessage, EventStore
from mcp.types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequiredResult,
    SamplingMessage,
    TextContent,
)
from pydantic import BaseModel, Field

server = MCPServer("fixture", instructions="Be gentle.")
state = {"cancelled": 0, "running": 0}


@server.tool()
def echo(text: str) -> str:
    """Says what it is told."""
    return text


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


class Point(BaseModel):
    x: int
    y: int


@server.tool()
def point() -> Point:
    """Gives a point."""
    return Point(x=1, y=2)


@server.tool()
async def slow(steps: int, ctx: Context) -> str:
    """Tells how far it is."""
    for step in range(steps):
        await ctx.report_progress(step + 1, steps, f"step {step + 1}")
        await asyncio.sleep(0.01)
    return "done"


@server.tool()
async def hang() -> str:
    """Never answers."""
    state["running"] += 1
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        state["cancelled"] += 1
        raise
    return "never"


@server.tool()
def counts() -> str:
    """How many calls of hang have begun, and how many were cancelled."""
    return f"{state['running']} {state['cancelled']}"


@server.tool()
def fail() -> str:
    """Fails."""
    raise ToolError("no luck")


class Answer(BaseModel):
    name: str


def is_stateless(ctx: Context) -> bool:
    return (ctx.protocol_version or "") >= "2026"


@server.tool(structured_output=False)
async def ask(ctx: Context) -> str | InputRequiredResult:
    """Asks the person."""
    if not is_stateless(ctx):
        answer = await ctx.elicit("What is your name?", Answer)
        return f"{answer.action} {answer.data.name if answer.action == 'accept' else ''}".strip()
    if ctx.input_responses is None:
        question = ElicitRequestFormParams(
            message="What is your name?",
            requested_schema={"type": "object", "properties": {"name": {"type": "string"}}},
        )
        return InputRequiredResult(input_requests={"who": ElicitRequest(params=question)}, request_state="asked")
    response = ctx.input_responses["who"]
    assert ctx.request_state == "asked"
    return f"{response.action} {(response.content or {}).get('name', '')}".strip()


@server.tool(structured_output=False)
async def sample(ctx: Context) -> str | InputRequiredResult:
    """Wants the client's model."""
    message = SamplingMessage(role="user", content=TextContent(type="text", text="hello"))
    if is_stateless(ctx):
        wish = CreateMessageRequestParams(messages=[message], max_tokens=10)
        return InputRequiredResult(input_requests={"model": CreateMessageRequest(params=wish)})
    return str(await ctx.session.create_message([message], max_tokens=10))


@server.tool()
async def grow(ctx: Context) -> str:
    """Adds a tool, and tells so."""
    server.add_tool(lambda: "new", name="grown", description="Was added.")
    if is_stateless(ctx):
        await ctx.notify_tools_changed()
    else:
        await ctx.session.send_tool_list_changed()
    return "grew"


@server.tool()
async def touch(uri: str, ctx: Context) -> str:
    """Says that a resource has changed."""
    await ctx.notify_resource_updated(uri)
    return "touched"


@server.tool()
async def log(ctx: Context) -> str:
    """Logs a line."""
    await ctx.info("a line")
    return "logged"


@server.tool()
def die() -> str:
    """Ends the server."""
    os._exit(3)


@server.tool()
async def drop(ctx: Context) -> str:
    """Closes the stream of its answer before it answers."""
    await ctx.close_sse_stream()
    await asyncio.sleep(0.05)
    return "resumed"


@server.tool()
def route(region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})]) -> str:
    """Wants an argument in the header, too."""
    return region


@server.resource("note://hello")
def hello() -> str:
    """A note."""
    return "Hello, reader."


@server.resource("note://by/{name}")
def note(name: str) -> str:
    """Anybody's note."""
    return f"A note by {name}."


@server.prompt()
def greet(name: str) -> str:
    """Greets somebody."""
    return f"Say hello to {name}."


class Store(EventStore):
    def __init__(self):
        self.events = []

    async def store_event(self, stream_id, message):
        self.events.append((stream_id, message))
        return str(len(self.events))

    async def replay_events_after(self, last_event_id, send_callback):
        last = int(last_event_id)
        stream = self.events[last - 1][0]
        for number, (owner, message) in enumerate(self.events[last:], last + 1):
            if owner == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


def main():
    if sys.argv[1] == "stdio":
        server.run()
        return
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    app = server.streamable_http_app(
        json_response="json" in sys.argv,
        event_store=Store() if "store" in sys.argv else None,
        retry_interval=20 if "store" in sys.argv else None,
    )
    listener.listen(64)
    print(listener.getsockname()[1], flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


main()
