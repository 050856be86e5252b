// SPDX-License-Identifier: MIT

/// A stretch of time in a trace. Its name and the names of its attributes are the program's own: nothing that a person said, typed
/// or named is in it.
public struct TraceSpan: Sendable, Hashable {
    /// The side of a request that a span is about; the numbers are OpenTelemetry's.
    public enum Kind: Int, Sendable, Hashable {
        /// Work within the program.
        case `internal` = 1
        /// A request, where it is answered.
        case server = 2
        /// A request, where it is sent.
        case client = 3
    }

    /// The value of an attribute.
    public enum Value: Sendable, Hashable {
        /// A name or a code of the program.
        case text(String)
        /// A number, such as a status.
        case number(Int)
    }

    /// The name, such as `recognition`.
    public var name: String
    /// The id.
    public var id: SpanID
    /// The span around it; nil for the root.
    public var parent: SpanID?
    /// The side of a request.
    public var kind: Kind
    /// The start, in nanoseconds since 1970.
    public var start: UInt64
    /// The end, in nanoseconds since 1970; not before the start.
    public var end: UInt64
    /// Facts, by names such as `http.response.status_code`.
    public var attributes: [String: Value]
    /// True if it ended with an error.
    public var isFailed: Bool

    /// A span.
    public init(
        _ name: String, id: SpanID = SpanID(), parent: SpanID? = nil, kind: Kind = .internal, start: UInt64,
        end: UInt64,
        attributes: [String: Value] = [:], isFailed: Bool = false
    ) {
        (self.name, self.id, self.parent, self.kind) = (name, id, parent, kind)
        (self.start, self.end, self.attributes, self.isFailed) = (start, max(start, end), attributes, isFailed)
    }

    /// The length; zero if it ends before it starts.
    public var duration: Duration { .nanoseconds(Int64(clamping: max(start, end) - start)) }
}

/// The spans of one trace in one program.
public struct Trace: Sendable, Hashable {
    /// The id.
    public let id: TraceID
    /// The program, such as `parley`.
    public let service: String
    /// The program's version.
    public let version: String
    /// The spans.
    public var spans: [TraceSpan]

    /// A trace.
    public init(_ id: TraceID, service: String, version: String, spans: [TraceSpan]) {
        (self.id, self.service, self.version, self.spans) = (id, service, version, spans)
    }

    /// The spans with their depth, each behind the one around it, and by their starts. A span whose parent is in another program is
    /// at the top.
    public var ordered: [(span: TraceSpan, depth: Int)] {
        let ids = Set(spans.map(\.id))
        let children = Dictionary(grouping: spans) { span in span.parent.flatMap { ids.contains($0) ? $0 : nil } }
        var result: [(TraceSpan, Int)] = []
        var seen: Set<SpanID> = []
        func add(below parent: SpanID?, _ depth: Int) {
            let sorted = (children[parent] ?? []).sorted { ($0.start, $1.end) < ($1.start, $0.end) }
            for span in sorted where seen.insert(span.id).inserted {
                result.append((span, depth))
                add(below: span.id, depth + 1)
            }
        }
        add(below: nil, 0)
        return result
    }
}
