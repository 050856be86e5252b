// SPDX-License-Identifier: MIT

/// The id of a trace: of all spans of one turn or one command, in all programs.
public struct TraceID: Sendable, Hashable, CustomStringConvertible {
    /// The first eight bytes, the first one the highest.
    public let high: UInt64
    /// The last eight bytes.
    public let low: UInt64

    /// An id of these bytes; not all of them are zero.
    public init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low == 0 && high == 0 ? 1 : low) }

    /// A random id.
    public init() { self.init(high: .random(in: 0 ... .max), low: .random(in: 1 ... .max)) }

    /// Parses 32 lower-case hexadecimal digits, not all zero; nil for anything else.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 32, let high = Hexadecimal.number(text.prefix(16)),
            let low = Hexadecimal.number(text.suffix(16)), high != 0 || low != 0
        else { return nil }
        self.init(high: high, low: low)
    }

    /// 32 lower-case hexadecimal digits.
    public var description: String { Hexadecimal.text(high) + Hexadecimal.text(low) }

    /// The digits in the groups of a UUID, as log lines have it: ``SecretSweep`` removes 32 digits in a row.
    public var grouped: String {
        var rest = Substring(description)
        return [8, 4, 4, 4, 12].map { count in
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }.joined(separator: "-")
    }
}

/// The id of a span within its trace.
public struct SpanID: Sendable, Hashable, CustomStringConvertible {
    /// The eight bytes, the first one the highest; never 0.
    public let value: UInt64

    /// An id of these bytes; 0 becomes 1.
    public init(_ value: UInt64) { self.value = value == 0 ? 1 : value }

    /// A random id.
    public init() { self.init(.random(in: 1 ... .max)) }

    /// Parses 16 lower-case hexadecimal digits, not all zero; nil for anything else.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 16, let value = Hexadecimal.number(text), value != 0 else { return nil }
        self.init(value)
    }

    /// 16 lower-case hexadecimal digits.
    public var description: String { Hexadecimal.text(value) }
}

/// The place of a request in a trace, as the header field `traceparent` says it (W3C Trace Context, version 00).
public struct TraceContext: Sendable, Hashable {
    /// The name of the header field.
    public static let headerName = "traceparent"

    /// The trace.
    public let trace: TraceID
    /// The span that the request belongs to.
    public let span: SpanID

    /// A place.
    public init(trace: TraceID, span: SpanID) { (self.trace, self.span) = (trace, span) }

    /// Parses a field of version 00, or the part of a later one that 00 knows; nil for anything else.
    public init?(traceparent: String) {
        let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].utf8.count == 2, let version = Hexadecimal.number(parts[0]), version != 0xFF,
            parts.count == 4 || version > 0, let trace = TraceID(parts[1]), let span = SpanID(parts[2]),
            parts[3].utf8.count == 2, Hexadecimal.number(parts[3]) != nil
        else { return nil }
        self.init(trace: trace, span: span)
    }

    /// The field's value; the trace is recorded (flag 01).
    public var traceparent: String { "00-\(trace)-\(span)-01" }
}

/// Hexadecimal digits of eight bytes.
private enum Hexadecimal {
    static func text(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Reads at most 16 digits, none of them upper case.
    static func number(_ text: some StringProtocol) -> UInt64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else { return nil }
        return UInt64(text, radix: 16)
    }
}
