// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// One request and what came of it, without secrets and without contents.
public struct NetworkExchange: Sendable {
    /// How an exchange ended.
    public enum Outcome: Sendable, Hashable {
        /// The response was read to its end.
        case complete
        /// The reader let go of the response before its end.
        case dropped
        /// The task was cancelled.
        case cancelled
        /// It failed.
        case failed(NetworkError.Code, message: String)
    }

    /// Counts from one in each log.
    public let number: Int
    /// When the request was handed over.
    public let started: Date
    /// From then until its end.
    public let duration: Duration
    /// The method.
    public let method: HTTPMethod
    /// The address, without the values of secret query items.
    public let url: String
    /// The request's fields; secrets are marked.
    public let requestHeaders: HTTPHeaders
    /// The status, if a response came.
    public let status: Int?
    /// The response's fields; secrets are marked.
    public let responseHeaders: HTTPHeaders
    /// The protocol's version, if a response came.
    public let version: HTTPVersion?
    /// Bytes of content after decompression.
    public let contentBytes: Int
    /// Phases, bytes on the wire, and the peer.
    public let summary: HTTPTransferSummary
    /// How it ended.
    public let outcome: Outcome
}
