# SPDX-License-Identifier: MIT
"""A server by hand that misbehaves as its first argument says; without the SDK, which would not let it."""

import json
import os
import signal
import subprocess
import sys
import time

behaviour = sys.argv[1]
replies = []
description = "Says what it is told."


def raw(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def send(message):
    raw(json.dumps({"jsonrpc": "2.0"} | message))


def result(request, value):
    send({"id": request["id"], "result": value})


def tool(name, **more):
    return {"name": name, "description": f"does {name}", "inputSchema": {"type": "object"}} | more


def page(request):
    if behaviour not in ("pages", "cycle"):
        return {"tools": [tool("echo", description=description), tool("typed", outputSchema={"type": "object", "required": ["x"]})]}
    number = int((request.get("params") or {}).get("cursor", 0))
    following = number + 1 if number < 2 else (0 if behaviour == "cycle" else None)
    return {"tools": [tool(f"tool{number}")]} | ({} if following is None else {"nextCursor": str(following)})


def call(request):
    global description
    parameters = request["params"]
    name, arguments = parameters["name"], parameters.get("arguments") or {}
    token = (parameters.get("_meta") or {}).get("progressToken")

    def text(words):
        result(request, {"content": [{"type": "text", "text": words}]})

    if name == "echo":
        text(arguments.get("text", ""))
    elif name == "pid":
        text(str(os.getpid()))
    elif name == "environment":
        text(json.dumps(dict(os.environ) | {"here": os.getcwd()}))
    elif name == "replies":
        text(json.dumps(replies))
    elif name == "typed":
        result(request, {"content": [], "structuredContent": {"y": 1}} if arguments else {"content": []})
    elif name == "shape":
        result(request, arguments["value"])
    elif name == "long":
        text("x" * arguments["bytes"])
    elif name == "progress":
        for step in range(arguments["steps"]):
            time.sleep(arguments["seconds"])
            send({"method": "notifications/progress", "params": {"progressToken": token, "progress": step + 1}})
        text("done")
    elif name == "twice":
        text("first")
        text("second")
    elif name == "ask":
        for number, method in enumerate(arguments["methods"]):
            send({"id": f"s{number}", "method": method, "params": {}})
        text("asked")
    elif name == "touch":
        send({"method": "notifications/resources/updated", "params": {"uri": arguments["uri"]}})
        text("touched")
    elif name == "log":
        send({"method": "notifications/message", "params": {"level": "warning", "logger": "l", "data": "d"}})
        text("logged")
    elif name == "alter":
        description = arguments["text"]
        send({"method": "notifications/tools/list_changed"})
        text("altered")
    elif name == "fails":
        result(request, {"content": [{"type": "text", "text": "no luck"}], "isError": True})
    elif name == "quit":
        os._exit(4)


def garbage():
    raw("this is a log line on the wrong stream")
    raw("")
    raw('{"jsonrpc": "2.0", "method": 5}')
    raw("[1, 2]")
    raw("[]")
    raw('{"jsonrpc": "2.0", "id": 999, "result": {}}')
    raw('{"jsonrpc": "2.0", "id": null, "error": {"code": 1, "message": "what?"}}')
    raw('{"jsonrpc": "2.0", "id": [1], "method": "x"}')
    raw('[{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}]')
    raw("\x00\x01\ufffd" * 20)
    raw("y" * 3_000_000)


def main():
    if behaviour == "exit":
        sys.stderr.write("bad luck\n")
        sys.exit(7)
    if behaviour == "flood":
        sys.stderr.write("0123456789abcdef" * 400_000 + "the end")
        sys.stderr.flush()
    if behaviour in ("stubborn", "closeoutput"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if behaviour == "grandchild":
        subprocess.Popen(["sleep", "1000"])
    for line in sys.stdin:
        message = json.loads(line)
        method = message.get("method")
        if behaviour == "hang":
            continue
        if behaviour == "picky" and method == "server/discover":
            sys.exit(5)
        if method is None:
            replies.append(message)
        elif method == "initialize":
            if behaviour == "garbage":
                garbage()
            version = {"old": "2024-11-05", "strange": "1999-01-01"}.get(
                behaviour, message["params"]["protocolVersion"])
            offer = {"tools": {}, "logging": {}, "resources": {"subscribe": True}}
            result(message, {"protocolVersion": version, "capabilities": offer,
                             "serverInfo": {"name": behaviour, "version": "1"}})
        elif method == "notifications/initialized":
            if behaviour == "closeinput":
                os.close(0)
                time.sleep(1000)
            if behaviour == "closeoutput":
                os.close(1)
                time.sleep(1000)
        elif method == "server/discover" and behaviour == "stateless":
            result(message, {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                             "capabilities": {"tools": {"listChanged": True}}})
        elif method == "subscriptions/listen" and behaviour == "stateless":
            send({"method": "notifications/subscriptions/acknowledged",
                  "params": {"notifications": message["params"]["notifications"],
                             "_meta": {"io.modelcontextprotocol/subscriptionId": message["id"]}}})
        elif method == "notifications/cancelled":
            replies.append(message)
        elif method == "tools/list":
            result(message, page(message))
        elif method == "tools/call":
            call(message)
        elif "id" in message and method in ("ping", "resources/subscribe", "resources/unsubscribe", "logging/setLevel"):
            replies.append(message)
            result(message, {})
        elif "id" in message:
            send({"id": message["id"], "error": {"code": -32601, "message": "unknown"}})
    if behaviour == "stubborn":
        while True:
            time.sleep(1000)


main()
