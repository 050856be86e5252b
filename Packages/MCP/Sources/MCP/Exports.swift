// SPDX-License-Identifier: MIT

// `import MCP` is enough: tools take and give JSON values.
@_exported public import StructuredJSON
