// SPDX-License-Identifier: MIT

/// The failure to map a value on the wire.
public struct MappingFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the invalid member, of names and indexes: "items.3.level"; empty for the whole.
    public let field: String
    /// The problem of the member, as the end of a sentence.
    public let reason: String

    /// Makes a failure.
    public init(_ field: String, _ reason: String) {
        self.field = field
        self.reason = reason
    }

    /// Translates a decoder's error.
    public init(decoding error: any Error) {
        switch error {
        case let error as MappingFailure: self = error
        case DecodingError.keyNotFound(let key, let context):
            self.init(Self.path(context.codingPath + [key]), "is missing")
        case DecodingError.valueNotFound(_, let context): self.init(Self.path(context.codingPath), "is null")
        case DecodingError.typeMismatch(let type, let context):
            self.init(Self.path(context.codingPath), "is not of the type \(type)")
        case DecodingError.dataCorrupted(let context):
            self.init(Self.path(context.codingPath), context.codingPath.isEmpty ? "is not JSON" : "cannot be read")
        default: self.init("", "cannot be read")
        }
    }

    /// Member and reason in a sentence, for logs and problem details.
    public var description: String { field.isEmpty ? "The message \(reason)." : "“\(field)” \(reason)." }

    /// The same failure, with the path inside of another member.
    func inside(_ name: String) -> MappingFailure {
        MappingFailure(field.isEmpty ? name : name + "." + field, reason)
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
