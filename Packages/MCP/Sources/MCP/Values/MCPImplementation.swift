// SPDX-License-Identifier: MIT

import StructuredJSON

/// The name and version of a client or a server.
public struct MCPImplementation: Sendable, Hashable {
    /// The program's name.
    public let name: String
    /// The program's version.
    public let version: String
    /// The title for a person.
    public let title: String?

    /// A program.
    public init(name: String, version: String, title: String? = nil) {
        self.name = name
        self.version = version
        self.title = title
    }

    init(json: JSONValue?) {
        name = json?["name"]?.string ?? ""
        version = json?["version"]?.string ?? ""
        title = json?["title"]?.string
    }

    var json: JSONValue {
        var object: JSONObject = ["name": .string(name), "version": .string(version)]
        object["title"] = title.map(JSONValue.string)
        return .object(object)
    }
}
