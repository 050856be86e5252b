// SPDX-License-Identifier: MIT

import Concurrency
public import FoundationEssentials

/// Collects the spans of a trace while they happen. Any thread may call it.
public final class TraceRecorder: Sendable {
    /// A span that has begun.
    public struct OpenSpan: Sendable {
        /// Its place in the trace, for a request to another program.
        public let context: TraceContext
        fileprivate let name: StaticString
        fileprivate let kind: TraceSpan.Kind
        fileprivate let parent: SpanID?
        fileprivate let start: Date
        fileprivate let instant: ContinuousClock.Instant
    }

    /// The spans that are kept until they are taken; further ones are dropped.
    public static let mostSpans = 200

    private struct State {
        var trace = TraceID()
        var root = SpanID()
        var spans: [TraceSpan] = []
    }

    private let state = Guarded(State())

    /// A recorder with the id of a new trace.
    public init() {}

    /// Begins a span below the trace's root.
    public func begin(_ name: StaticString, _ kind: TraceSpan.Kind) -> OpenSpan {
        state.withLock { state in
            OpenSpan(
                context: TraceContext(trace: state.trace, span: SpanID()), name: name, kind: kind, parent: state.root,
                start: Date(), instant: .now)
        }
    }

    /// Ends a span, which is kept from then on.
    ///
    /// - Parameters:
    ///   - status: The status of an HTTP response; 400 and above is a failure.
    ///   - isFailed: True if it ended with an error.
    public func end(_ span: OpenSpan, status: Int? = nil, isFailed: Bool = false) {
        let duration = span.instant.duration(to: .now)
        let start = span.start.nanoseconds
        let ended = TraceSpan(
            "\(span.name)", id: span.context.span, parent: span.parent, kind: span.kind, start: start,
            end: start + UInt64(min(max(0, duration / .nanoseconds(1)), 9e18)),
            attributes: status.map { ["http.response.status_code": .number($0)] } ?? [:],
            isFailed: isFailed || status ?? 0 >= 400)
        state.withLock { if $0.spans.count < Self.mostSpans { $0.spans.append(ended) } }
    }

    /// Takes the spans that have ended, and begins another trace.
    public func take() -> (trace: TraceID, root: SpanID, spans: [TraceSpan]) {
        state.withLock { state in
            defer { state = State() }
            return (state.trace, state.root, state.spans)
        }
    }
}

extension Date {
    /// Nanoseconds since 1970, 0 to 9·10¹⁸ (the year 2255).
    public var nanoseconds: UInt64 { UInt64(min(max(0, timeIntervalSince1970) * 1e9, 9e18)) }
}
