// SPDX-License-Identifier: MIT

/// A server's own description of a failure, `application/problem+json` (RFC 9457).
public struct ProblemDetails: Sendable, Hashable, Decodable {
    /// The kind of problem, as a URI; `about:blank` if the status says it all.
    public var type: String
    /// A short summary of the kind, for people.
    public var title: String?
    /// The status as the server's application set it.
    public var status: Int?
    /// The failure, for people.
    public var detail: String?
    /// An address that identifies this occurrence.
    public var instance: String?

    /// Problem details.
    public init(
        type: String = "about:blank", title: String? = nil, status: Int? = nil, detail: String? = nil,
        instance: String? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
    }

    private enum CodingKeys: String, CodingKey {
        case type, title, status, detail, instance
    }

    /// Decodes the members that exist. A member of the wrong type counts as absent (RFC 9457 §3.1).
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func optional<Value: Decodable>(_ key: CodingKeys) -> Value? {
            (try? values.decodeIfPresent(Value.self, forKey: key)) ?? nil
        }
        self.init(
            type: optional(.type) ?? "about:blank", title: optional(.title), status: optional(.status),
            detail: optional(.detail), instance: optional(.instance))
    }
}
