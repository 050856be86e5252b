// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking
import StructuredJSON

/// Identifies the program or the address behind a server's name, as a hash: SHA-256 over the command line with its
/// folder and variables, or over the address. Header fields are left out, since tokens in them are renewed.
public struct MCPServerOrigin: Sendable, Hashable, CustomStringConvertible {
    /// 64 hexadecimal digits.
    public let description: String

    /// The origin of a connection.
    ///
    /// - Throws: `MCPError` if the system's OpenSSL has no SHA-256.
    public init(_ connection: MCPServer.Connection) throws(MCPError) {
        let object: JSONObject
        switch connection {
        case .http(let endpoint): object = ["url": .string(endpoint.url.absoluteString)]
        case .stdio(let command):
            // The variables that every program inherits may change with a new version of this module.
            let inherited = command.inheritedVariables.subtracting(MCPCommand.defaultInheritedVariables).sorted()
            object = [
                "command": .array(([command.program] + command.arguments).map(JSONValue.string)),
                "directory": command.directory.map(JSONValue.string) ?? .null,
                "environment": .object(
                    JSONObject(command.environment.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
                "inherited": .array(inherited.map(JSONValue.string)),
            ]
        }
        description = try MCPToolFingerprint.hash(JSONValue.object(object).sortedText)
    }
}
