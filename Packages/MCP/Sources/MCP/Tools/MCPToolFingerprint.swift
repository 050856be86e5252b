// SPDX-License-Identifier: MIT

import Digests
import Networking
import StructuredJSON

/// Identifies all that a person has seen of a tool when approving it, as a hash: SHA-256 over its name, texts, schemas
/// and hints, as JSON with sorted names. Any change of a text that a model or a person reads changes it.
public struct MCPToolFingerprint: Sendable, Hashable, CustomStringConvertible {
    /// 64 hexadecimal digits.
    public let description: String

    /// The fingerprint of a tool.
    ///
    /// - Throws: `MCPError` if the system's OpenSSL has no SHA-256.
    public init(_ tool: MCPTool) throws(MCPError) {
        var object: JSONObject = ["name": .string(tool.name), "inputSchema": tool.inputSchema]
        object["title"] = tool.title.map(JSONValue.string)
        object["description"] = tool.description.map(JSONValue.string)
        object["outputSchema"] = tool.outputSchema
        object["readOnly"] = tool.annotations.isReadOnly.map(JSONValue.bool)
        object["destructive"] = tool.annotations.isDestructive.map(JSONValue.bool)
        object["idempotent"] = tool.annotations.isIdempotent.map(JSONValue.bool)
        object["openWorld"] = tool.annotations.isOpenWorld.map(JSONValue.bool)
        self.init(hexadecimal: try Self.hash(JSONValue.object(object).sortedText))
    }

    init(hexadecimal: String) { description = hexadecimal }

    static func hash(_ text: String) throws(MCPError) -> String {
        do throws(DigestError) { return Hexadecimal.text(try MessageDigest.hash(text.utf8, .sha256)) } catch {
            throw MCPError(.invalidServer, "Tools cannot be compared: \(error.message)", underlying: error)
        }
    }
}
