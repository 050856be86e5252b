// SPDX-License-Identifier: MIT

/// A revision of the Model Context Protocol, by its date.
public struct MCPProtocolVersion: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The date, as it is sent.
    public let rawValue: String

    /// A revision by its date.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The first revision; a server may still answer `initialize` with it.
    public static let november2024 = Self(rawValue: "2024-11-05")
    /// Adds streamable HTTP.
    public static let march2025 = Self(rawValue: "2025-03-26")
    /// Adds structured results, elicitation, and the version's HTTP header.
    public static let june2025 = Self(rawValue: "2025-06-18")
    /// The last with a handshake.
    public static let november2025 = Self(rawValue: "2025-11-25")
    /// Stateless: no handshake, each request identifies the client.
    public static let july2026 = Self(rawValue: "2026-07-28")

    /// All that this client speaks, oldest first.
    public static let all: [Self] = [.november2024, .march2025, .june2025, .november2025, .july2026]

    /// The date.
    public var description: String { rawValue }

    /// True if each request is independent, without `initialize` and sessions.
    public var isStateless: Bool { self == .july2026 }

    /// True if requests after the handshake carry the version in an HTTP header.
    var hasHeader: Bool { self != .november2024 && self != .march2025 }
}
