// SPDX-License-Identifier: MIT

/// What `HTTPClient`'s stages are to do with one request. Transports ignore it.
public struct HTTPRequestOptions: Sendable, Hashable {
    /// How the cache takes part.
    public enum Caching: Sendable, Hashable {
        /// By the rules (RFC 9111).
        case standard
        /// Ask the server, and store its answer.
        case reload
        /// Neither read nor store.
        case none
        /// Take any stored answer, however old, and never ask the server.
        case onlyIfCached
    }

    /// How the cache takes part.
    public var caching = Caching.standard
    /// Whether a failed attempt may be repeated; `nil` decides by the method and the `Idempotency-Key`.
    public var isRepeatable: Bool?
    /// Whether the client adds an access token and refreshes it.
    public var isAuthorized = true

    /// By the rules.
    public init() {}
}
