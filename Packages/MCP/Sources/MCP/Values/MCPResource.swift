// SPDX-License-Identifier: MIT

public import StructuredJSON

/// Something that a server lets its clients read.
public struct MCPResource: Sendable, Hashable {
    /// The resource's URI, in a scheme of the server's choice.
    public let uri: String
    /// The resource's name.
    public let name: String
    /// The title for a person.
    public let title: String?
    /// The description for a model.
    public let description: String?
    /// The resource's media type.
    public let mimeType: String?
    /// The size in bytes, before any encoding.
    public let size: Int?

    /// The resource in an object; `nil` without a URI.
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

/// A pattern of resources' URIs.
public struct MCPResourceTemplate: Sendable, Hashable {
    /// The pattern (RFC 6570).
    public let uriTemplate: String
    /// The template's name.
    public let name: String
    /// The title for a person.
    public let title: String?
    /// The description for a model.
    public let description: String?
    /// The media type of all these resources.
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

/// The contents of a resource.
public struct MCPResourceContents: Sendable, Hashable {
    /// The resource's URI.
    public let uri: String
    /// The media type.
    public let mimeType: String?
    /// The text, if it is a text.
    public let text: String?
    /// The bytes in base64, if it is not a text.
    public let blob: String?

    /// The contents in an object; `nil` without a URI, or with neither text nor bytes.
    public init?(json: JSONValue) {
        guard let uri = json["uri"]?.string else { return nil }
        self.uri = uri
        mimeType = json["mimeType"]?.string
        text = json["text"]?.string
        blob = json["blob"]?.string
        if text == nil, blob == nil { return nil }
    }
}
