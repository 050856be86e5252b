// SPDX-License-Identifier: MIT

import Concurrency
public import Diagnostics
public import FoundationEssentials

/// The newest exchanges of a client, in memory. It never holds a secret: exchanges are redacted first.
public final class NetworkLog: Sendable {
    private struct State {
        /// A ring: when it is full, the next exchange takes the place of the oldest.
        var exchanges: [NetworkExchange] = []
        var oldest = 0
        var count = 0
    }

    /// The rules for removing secrets.
    public let redaction: Redaction
    private let capacity: Int
    private let logger: Logger
    private let observe: @Sendable (NetworkExchange) -> Void
    private let state = Guarded(State())

    /// A log.
    ///
    /// - Parameters:
    ///   - capacity: The most exchanges that are kept; the oldest are dropped first.
    ///   - redaction: The rules for removing secrets.
    ///   - logger: Gets a line for each exchange.
    ///   - observe: Called with each exchange at its end, on the thread on which it ends.
    public init(
        capacity: Int = 500, redaction: Redaction = Redaction(), logger: Logger = .disabled,
        observe: @escaping @Sendable (NetworkExchange) -> Void = { _ in }
    ) {
        self.capacity = max(capacity, 1)
        self.redaction = redaction
        self.logger = logger
        self.observe = observe
    }

    /// The newest exchanges, in the order in which they ended.
    public var exchanges: [NetworkExchange] {
        state.withLock { Array($0.exchanges[$0.oldest...] + $0.exchanges[..<$0.oldest]) }
    }

    /// Removes all exchanges.
    public func clear() {
        state.withLock { ($0.exchanges, $0.oldest) = ([], 0) }
    }

    /// The next exchange's number.
    func begin() -> Int {
        state.withLock { state in
            state.count += 1
            return state.count
        }
    }

    func append(_ exchange: NetworkExchange) {
        state.withLock { state in
            if state.exchanges.count < capacity { return state.exchanges.append(exchange) }
            state.exchanges[state.oldest] = exchange
            state.oldest = (state.oldest + 1) % capacity
        }
        let result = exchange.status.map { "\($0)" } ?? "no response"
        let milliseconds = Int(exchange.duration.inSeconds * 1000)
        logger.info(
            """
            \(exchange.method.rawValue, privacy: .public) \(exchange.url) \(result, privacy: .public) \
            \(milliseconds, privacy: .public) ms, \(exchange.contentBytes, privacy: .public) bytes
            """)
        observe(exchange)
    }
}

/// One request and its outcome, without secrets and without contents.
public struct NetworkExchange: Sendable {
    /// The end of an exchange.
    public enum Outcome: Sendable, Hashable {
        /// The response was read to its end.
        case complete
        /// The reader dropped the response before its end.
        case dropped
        /// The task was cancelled.
        case cancelled
        /// The exchange failed.
        case failed(NetworkError.Code, message: String)
    }

    /// Counts from one in each log.
    public let number: Int
    /// The time at which the request was handed over.
    public let started: Date
    /// The time from then until the end.
    public let duration: Duration
    /// The method.
    public let method: HTTPMethod
    /// The address, without the values of secret query items.
    public let url: String
    /// The request's fields; secrets are marked.
    public let requestHeaders: HTTPHeaders
    /// The status, if a response arrived.
    public let status: Int?
    /// The response's fields; secrets are marked.
    public let responseHeaders: HTTPHeaders
    /// The protocol's version, if a response arrived.
    public let version: HTTPVersion?
    /// Bytes of content after decompression.
    public let contentBytes: Int
    /// Phases, bytes on the wire, and the peer.
    public let summary: HTTPTransferSummary
    /// The outcome.
    public let outcome: Outcome
}
