# SPDX-License-Identifier: MIT
"""The result lines of the benchmarks, whose form Scripts/bench checks."""

import json


def emit(metric, value, unit, peer=None, peer_value=None):
    """Prints a result line, and returns it; a peer whose figure is missing or zero is left out."""
    if not peer_value:
        peer = peer_value = None
    row = {"metric": metric, "value": rounded(value), "unit": unit, "peer": peer,
           "peer_value": peer and rounded(peer_value), "ratio": peer and rounded(value / peer_value)}
    print(json.dumps(row), flush=True)
    return row


def rounded(figure):
    """Six digits, which no measurement has."""
    return float(f"{figure:.6g}")
