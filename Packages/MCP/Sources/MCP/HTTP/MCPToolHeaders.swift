// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking
import StructuredJSON

/// The arguments of a tool that a stateless HTTP server demands in the header, too (`x-mcp-header`, 2026-07-28), so
/// that proxies can route by them.
struct MCPToolHeaders: Sendable {
    /// The path to an argument, and the field's name.
    private let fields: [(path: [String], name: String)]

    /// Reads a tool's input schema; `nil` if it breaks the rules, and the tool must not be offered.
    init?(_ schema: JSONValue) {
        var fields: [(path: [String], name: String)] = []
        guard Self.collect(schema, path: [], isReachable: true, into: &fields, depth: 0) else { return nil }
        guard Set(fields.map { $0.name.lowercased() }).count == fields.count else { return nil }
        self.fields = fields
    }

    /// The fields for a call.
    func headers(for arguments: JSONObject) -> HTTPHeaders {
        var headers: HTTPHeaders = [:]
        for field in fields {
            var value: JSONValue? = .object(arguments)
            for name in field.path { value = value?[name] }
            let text: String? =
                switch value {
                case .string(let text): text
                case .bool(let truth): truth ? "true" : "false"
                case .integer(let number): String(number)
                default: nil
                }
            if let text { headers["Mcp-Param-\(field.name)"] = MCPHeaderValue.encode(text) }
        }
        return headers
    }

    private static let single = [
        "items", "contains", "unevaluatedItems", "additionalProperties", "propertyNames", "unevaluatedProperties",
        "not",
        "if", "then", "else", "contentSchema",
    ]
    private static let lists = ["allOf", "anyOf", "oneOf", "prefixItems"]
    private static let maps = ["patternProperties", "dependentSchemas", "$defs", "definitions"]

    /// - Returns: True if every annotation under `schema` is allowed, and at an allowed position.
    private static func collect(
        _ schema: JSONValue, path: [String], isReachable: Bool, into fields: inout [(path: [String], name: String)],
        depth: Int
    ) -> Bool {
        guard let object = schema.object, depth < 128 else { return true }
        if let annotation = object["x-mcp-header"] {
            guard isReachable, !path.isEmpty, let name = annotation.string, isToken(name),
                let type = object["type"]?.string, ["string", "integer", "boolean"].contains(type)
            else { return false }
            fields.append((path, name))
        }
        for (name, property) in object["properties"]?.object ?? [:]
        where !collect(property, path: path + [name], isReachable: isReachable, into: &fields, depth: depth + 1) {
            return false
        }
        let others =
            single.compactMap { object[$0] } + lists.flatMap { object[$0]?.array ?? [] }
            + maps.flatMap { (object[$0]?.object ?? [:]).map(\.value) }
        return others.allSatisfy {
            collect($0, path: path, isReachable: false, into: &fields, depth: depth + 1)
        }
    }

    /// True if the text is a token of RFC 9110 §5.6.2.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}

/// A text as the value of a header field (2026-07-28, transports): unchanged, or in base64 if a header cannot hold it.
enum MCPHeaderValue {
    static func encode(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let isPlain = bytes.allSatisfy { (0x20...0x7E).contains($0) }
        let hasEdge = bytes.first == 0x20 || bytes.last == 0x20
        let looksEncoded = text.hasPrefix("=?base64?") && text.hasSuffix("?=")
        if isPlain, !hasEdge, !looksEncoded { return text }
        return "=?base64?\(Data(bytes).base64EncodedString())?="
    }
}
