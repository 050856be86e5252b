# SPDX-License-Identifier: MIT
"""A server of tools over the official Python SDK: `tools.py [FILE]`; what FILE has is what the tool says about itself."""

import sys

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("tools")
description = "Adds two numbers."
if len(sys.argv) > 1:
    with open(sys.argv[1], encoding="utf-8") as file:
        description = file.read().strip()


@server.tool(description=description)
def add(a: int, b: int) -> int:
    return a + b


@server.tool(description="Fails.")
def fail() -> str:
    raise ToolError("no luck")


server.run("stdio")
