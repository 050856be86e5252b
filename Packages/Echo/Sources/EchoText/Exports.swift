// SPDX-License-Identifier: MIT

@_exported public import MCP
@_exported public import StructuredJSON

// `import EchoText` is enough: tools and structured output speak in JSON values, schemas and MCP servers.

// Names for files that also import Domain, which has types of these names. The class `Echo` hides the module `Echo`, so
// `Echo.Message` cannot be written.

/// ``Message``, for files in which another module has that name, too.
public typealias EchoMessage = Message
/// ``Conversation``, for files in which another module has that name, too.
public typealias EchoConversation = Conversation
