// SPDX-License-Identifier: MIT

public import StructuredJSON

/// A part of the output of a tool or a prompt.
public enum MCPContent: Sendable, Hashable {
    /// Text, for a model or a person.
    case text(String)
    /// A picture: base64, and its media type.
    case image(data: String, mimeType: String)
    /// Sound: base64, and its media type.
    case audio(data: String, mimeType: String)
    /// A resource that can be read.
    case link(MCPResource)
    /// The content of a resource itself.
    case resource(MCPResourceContents)
    /// A kind that this client does not know, unchanged.
    case unknown(type: String, JSONValue)

    /// The content in an object; an object that lacks a required member is ``unknown(type:_:)``.
    public init(json: JSONValue) {
        let type = json["type"]?.string ?? ""
        let data = json["data"]?.string
        let mimeType = json["mimeType"]?.string
        switch (type, data, mimeType) {
        case ("text", _, _):
            self = json["text"]?.string.map(Self.text) ?? .unknown(type: type, json)
        case ("image", let data?, let mimeType?): self = .image(data: data, mimeType: mimeType)
        case ("audio", let data?, let mimeType?): self = .audio(data: data, mimeType: mimeType)
        case ("resource_link", _, _):
            self = MCPResource(json: json).map(Self.link) ?? .unknown(type: type, json)
        case ("resource", _, _):
            self =
                json["resource"].flatMap { MCPResourceContents(json: $0) }.map(Self.resource)
                ?? .unknown(type: type, json)
        default: self = .unknown(type: type, json)
        }
    }

    /// The text, if this is a text or a resource with one.
    public var text: String? {
        switch self {
        case .text(let text): text
        case .resource(let contents): contents.text
        default: nil
        }
    }
}
