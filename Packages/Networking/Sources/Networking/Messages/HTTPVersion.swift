// SPDX-License-Identifier: MIT

/// The version of HTTP that a response came by.
public struct HTTPVersion: Sendable, Hashable, CustomStringConvertible {
    /// The number before the dot.
    public let major: Int
    /// The number after the dot.
    public let minor: Int

    /// A version.
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// HTTP/1.0.
    public static let http10 = HTTPVersion(major: 1, minor: 0)
    /// HTTP/1.1.
    public static let http11 = HTTPVersion(major: 1, minor: 1)
    /// HTTP/2.
    public static let http2 = HTTPVersion(major: 2, minor: 0)

    /// The version as a status line writes it, such as `HTTP/1.1`; HTTP/2 and later have no minor number.
    public var description: String { major >= 2 ? "HTTP/\(major)" : "HTTP/\(major).\(minor)" }
}
