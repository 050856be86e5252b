# SPDX-License-Identifier: MIT
"""Reads frames from standard input by the reference reader, and writes each again by the reference writer."""

import sys

from wyoming.event import read_event, write_event

while event := read_event(sys.stdin.buffer):
    write_event(event, sys.stdout.buffer)
