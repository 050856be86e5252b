// SPDX-License-Identifier: MIT

/// Why something on the wire is not what it should be.
public struct MappingFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where, as a path of members and places: "items.3.level"; empty for the whole.
    public let field: String
    /// What is wrong with it.
    public let reason: String

    /// A failure.
    public init(_ field: String, _ reason: String) {
        self.field = field
        self.reason = reason
    }

    /// The failure that a decoder's error is.
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

    /// Both in a sentence, for logs and problem details.
    public var description: String { field.isEmpty ? "The message \(reason)." : "“\(field)” \(reason)." }

    /// The same, as a part of something.
    func inside(_ name: String) -> MappingFailure {
        MappingFailure(field.isEmpty ? name : name + "." + field, reason)
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
