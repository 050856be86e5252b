// SPDX-License-Identifier: MIT

import StructuredJSON

/// Who speaks: a client's or a server's name and version.
public struct MCPImplementation: Sendable, Hashable {
    /// The program's name.
    public let name: String
    /// Its version.
    public let version: String
    /// What it is called for a person.
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
