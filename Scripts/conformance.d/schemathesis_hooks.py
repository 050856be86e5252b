# SPDX-License-Identifier: MIT
"""What schemathesis has to be told of parley-server beside its OpenAPI file."""

import schemathesis

# A piece of an upload (tus 1.0.0) is bytes as they are.
schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
