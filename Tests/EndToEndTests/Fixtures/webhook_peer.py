# SPDX-License-Identifier: MIT
"""Checks requests of parley-server's hook by Standard Webhooks' own library (PyPI standardwebhooks).

usage: webhook_peer.py SECRET, with a request a line on standard input, as JSON with headers and body.
"""

import json
import sys

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

judge = Webhook(sys.argv[1])
for line in sys.stdin:
    call = json.loads(line)
    judge.verify(call["body"], call["headers"])
    print("valid")
    try:
        judge.verify(call["body"].replace("ada@", "eve@"), call["headers"])
    except WebhookVerificationError:
        print("forged body refused")
