#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a home folder with a program of parley, for EarlierHomeTests: make_earlier_home.py PARLEY ARCHIVE

README.md lists its content. The archive is a tar file, compressed by gzip.
"""

import json
import os
import pty
import subprocess
import sys
import tarfile
import tempfile

PARLEY, ARCHIVE = sys.argv[1], sys.argv[2]
KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

folder = tempfile.mkdtemp(prefix="parley-home-")
home = folder + "/home"
environment = {
    "PARLEY_HOME": home, "HOME": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
    "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""),
}


def run(*arguments, input=""):
    """Runs parley to its end and returns its output."""
    result = subprocess.run(
        [PARLEY, *arguments], input=input, capture_output=True, text=True, env=environment, check=False)
    if result.returncode != 0:
        sys.exit(f"{arguments}: {result.returncode}: {result.stderr}")
    return result.stdout


def type_at_terminal(arguments, keys):
    """Runs parley at a terminal; each of keys is typed once its text is shown."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(PARLEY, [PARLEY, *arguments], environment)
    seen = b""
    keys = list(keys)
    while True:
        try:
            chunk = os.read(terminal, 4096)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk
        while keys and keys[0][0].encode() in seen:
            seen = seen.split(keys[0][0].encode(), 1)[1]
            os.write(terminal, keys.pop(0)[1].encode())
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != 0 or keys:
        sys.exit(f"{arguments}: {code}, {keys} not typed after {seen.decode()}")


run("ask", "What is the capital of Texas?")
run("ask", "What is the state bird of Ohio?")
cue = json.loads(run("cues", "next", "--language", "en", "--json").splitlines()[0])["cues"][0]["text"]
speech = folder + "/speech.wav"
subprocess.run(["flite", "-voice", "slt", "-t", cue, "-o", speech], check=True)
type_at_terminal(
    ["practice", "--language", "en", "--input", speech, "--output", folder + "/heard.wav"],
    [("Enter record", "\r"), ("Enter keep", "\r"), ("Kept.", "q")])
run("secrets", "set", "elevenlabs", "--store", "file", input="earlier-secret\n")
run("trust", "pin", "example.org", "--key", KEY)
run("recordings", "limit", "--days", "3650")
run("mcp", "add", "tools", "--", "/usr/bin/true", "--flag")
with tarfile.open(ARCHIVE, "w:gz", compresslevel=9) as archive:
    for root, folders, files in sorted(os.walk(home)):
        for name in sorted(folders) + sorted(files):
            path = os.path.join(root, name)
            archive.add(path, os.path.relpath(path, home), recursive=False, filter=lambda entry: (
                setattr(entry, "uid", 0), setattr(entry, "gid", 0), setattr(entry, "uname", ""), setattr(entry, "gname", ""),
                entry)[-1])
subprocess.run(["rm", "-rf", folder], check=True)
print(cue)
