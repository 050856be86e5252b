// SPDX-License-Identifier: MIT

public import StructuredJSON

/// Something that a server lets its clients read.
public struct MCPResource: Sendable, Hashable {
    /// Where it is, in a scheme of the server's choice.
    public let uri: String
    /// What it is called.
    public let name: String
    /// What it is called for a person.
    public let title: String?
    /// What it is, for a model.
    public let description: String?
    /// Its media type.
    public let mimeType: String?
    /// Its size in bytes, before any encoding.
    public let size: Int?

    /// The resource in an object; `nil` without an address.
    public init?(json: JSONValue) {
        guard let uri = json["uri"]?.string else { return nil }
        self.uri = uri
        name = json["name"]?.string ?? uri
        title = json["title"]?.string
        description = json["description"]?.string
        mimeType = json["mimeType"]?.string
        size = json["size"]?.integer
    }
}

/// A pattern of addresses of resources.
public struct MCPResourceTemplate: Sendable, Hashable {
    /// The pattern (RFC 6570).
    public let uriTemplate: String
    /// What it is called.
    public let name: String
    /// What it is called for a person.
    public let title: String?
    /// What it is, for a model.
    public let description: String?
    /// The media type that all of them have.
    public let mimeType: String?

    /// The template in an object; `nil` without a pattern.
    public init?(json: JSONValue) {
        guard let template = json["uriTemplate"]?.string else { return nil }
        uriTemplate = template
        name = json["name"]?.string ?? template
        title = json["title"]?.string
        description = json["description"]?.string
        mimeType = json["mimeType"]?.string
    }
}

/// What stands in a resource.
public struct MCPResourceContents: Sendable, Hashable {
    /// Where it is.
    public let uri: String
    /// Its media type.
    public let mimeType: String?
    /// The text, where it is one.
    public let text: String?
    /// The bytes in base64, where it is no text.
    public let blob: String?

    /// The contents in an object; `nil` without an address, or with neither text nor bytes.
    public init?(json: JSONValue) {
        guard let uri = json["uri"]?.string else { return nil }
        self.uri = uri
        mimeType = json["mimeType"]?.string
        text = json["text"]?.string
        blob = json["blob"]?.string
        if text == nil, blob == nil { return nil }
    }
}
