// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Traces as JSON of OpenTelemetry's protocol (OTLP 1.x, `ExportTraceServiceRequest`): ids in hexadecimal, 64-bit numbers as strings.
public enum OTLPTraces {
    /// The JSON of traces on one line.
    public static func json(of traces: [Trace]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(Request(resourceSpans: traces.map(ResourceSpans.init)))
    }

    /// The traces of a JSON text that ``json(of:)`` made; nil for another.
    public static func traces(in json: Data) -> [Trace]? {
        try? JSONDecoder().decode(Request.self, from: json).resourceSpans.flatMap(\.traces)
    }
}

private struct Request: Codable {
    let resourceSpans: [ResourceSpans]
}

private struct ResourceSpans: Codable {
    let resource: Resource
    let scopeSpans: [ScopeSpans]

    init(_ trace: Trace) {
        resource = Resource(attributes: [
            Attribute("service.name", .text(trace.service)), Attribute("service.version", .text(trace.version)),
        ])
        let spans = trace.spans.map { Span($0, of: trace.id) }
        scopeSpans = [ScopeSpans(scope: Scope(name: trace.service, version: trace.version), spans: spans)]
    }

    var traces: [Trace] {
        scopeSpans.flatMap { part in
            Dictionary(grouping: part.spans, by: \.traceId).compactMap { id, spans in
                TraceID(id).map { id in
                    Trace(
                        id, service: part.scope.name, version: part.scope.version, spans: spans.compactMap(\.span))
                }
            }
        }
    }
}

private struct Resource: Codable {
    let attributes: [Attribute]
}

private struct ScopeSpans: Codable {
    let scope: Scope
    let spans: [Span]
}

private struct Scope: Codable {
    let name, version: String
}

private struct Attribute: Codable {
    struct Value: Codable {
        var stringValue: String?
        var intValue: String?
    }

    let key: String
    let value: Value

    init(_ key: String, _ value: TraceSpan.Value) {
        self.key = key
        self.value =
            switch value {
            case .text(let text): Value(stringValue: text)
            case .number(let number): Value(intValue: "\(number)")
            }
    }

    var content: TraceSpan.Value? {
        value.stringValue.map(TraceSpan.Value.text) ?? value.intValue.flatMap { Int($0) }.map(TraceSpan.Value.number)
    }
}

private struct Span: Codable {
    struct Status: Codable {
        /// 2 is an error; a span without one has no code.
        var code: Int?
    }

    let traceId, spanId: String
    let parentSpanId: String?
    let name: String
    let kind: Int
    let startTimeUnixNano, endTimeUnixNano: String
    let attributes: [Attribute]
    let status: Status

    init(_ span: TraceSpan, of trace: TraceID) {
        (traceId, spanId, parentSpanId) = (trace.description, span.id.description, span.parent?.description)
        (name, kind) = (span.name, span.kind.rawValue)
        (startTimeUnixNano, endTimeUnixNano) = ("\(span.start)", "\(span.end)")
        attributes = span.attributes.sorted { $0.key < $1.key }.map(Attribute.init)
        status = Status(code: span.isFailed ? 2 : nil)
    }

    var span: TraceSpan? {
        guard let id = SpanID(spanId), let start = UInt64(startTimeUnixNano), let end = UInt64(endTimeUnixNano) else {
            return nil
        }
        let values = attributes.compactMap { attribute in attribute.content.map { (attribute.key, $0) } }
        return TraceSpan(
            name, id: id, parent: parentSpanId.flatMap { SpanID($0) },
            kind: TraceSpan.Kind(rawValue: kind) ?? .internal,
            start: start, end: end, attributes: Dictionary(values) { $1 }, isFailed: status.code == 2)
    }
}
