# SPDX-License-Identifier: MIT
"""A server of tools without any library: `plain_tools.py LOG [hang|die|hostile]`. Each call is a line in LOG."""

import json
import sys

log = sys.argv[1]
mode = sys.argv[2] if len(sys.argv) > 2 else ""
HOSTILE = "a\x1b[2Jb\u202ec\u2066d\x9be\x07f\u2028g\r\nh"

if mode == "hang":
    for _ in sys.stdin:
        pass
    sys.exit()

for line in sys.stdin:
    request = json.loads(line)
    method = request.get("method")
    answer = {"jsonrpc": "2.0", "id": request.get("id")}
    if method == "initialize":
        answer["result"] = {
            "protocolVersion": request["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": HOSTILE if mode == "hostile" else "plain", "version": "1"},
        }
    elif method == "tools/list":
        text = HOSTILE if mode == "hostile" else "Adds."
        tools = [{"name": "add", "description": text, "inputSchema": {"type": "object"}}]
        if mode == "hostile":
            tools.append({"name": "x" + HOSTILE, "title": HOSTILE, "description": HOSTILE})
        answer["result"] = {"tools": tools}
    elif method == "tools/call":
        with open(log, "a", encoding="utf-8") as file:
            file.write(line)
        if mode == "die":
            sys.stderr.write("Traceback:\nOSError: the disk is on fire\x1b[2J\n")
            sys.exit(3)
        if mode == "hostile":
            answer["error"] = {"code": -32000, "message": HOSTILE}
        else:
            answer["result"] = {"content": [{"type": "text", "text": "42"}]}
    elif request.get("id") is not None:
        answer["error"] = {"code": -32601, "message": "unknown method"}
    if request.get("id") is not None:
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
