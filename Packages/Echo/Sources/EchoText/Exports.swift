// SPDX-License-Identifier: MIT

// `import EchoText` is enough: tools and structured output speak in JSON values, schemas and MCP servers.
@_exported public import MCP
@_exported public import StructuredJSON
