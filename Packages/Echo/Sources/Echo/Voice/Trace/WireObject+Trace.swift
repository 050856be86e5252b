// SPDX-License-Identifier: MIT

/// Readers of the values of a trace. A value outside of its bounds was not recorded.
extension WireObject {
    func integer(_ name: String) throws(WireError) -> Int {
        guard let value = object[name]?.integer else { throw WireError(subject, field: name, expected: "integer") }
        return value
    }

    /// A number of things: sessions, frames, commands.
    func count(_ name: String) throws(WireError) -> Int {
        let value = try integer(name)
        guard (0...1 << 40).contains(value) else { throw WireError(subject, field: name, expected: "count") }
        return value
    }

    func bool(_ name: String) throws(WireError) -> Bool {
        guard let value = object[name]?.bool else { throw WireError(subject, field: name, expected: "boolean") }
        return value
    }

    /// Nanoseconds, a century at most.
    func duration(_ name: String) throws(WireError) -> Duration {
        let value = try integer(name)
        guard (0...VoiceTrace.maximumTime).contains(value) else {
            throw WireError(subject, field: name, expected: "duration in nanoseconds")
        }
        return .nanoseconds(value)
    }
}

extension Duration {
    /// Whole nanoseconds, rounded down; the largest that fit if there are more.
    var traceNanoseconds: Int {
        let (seconds, attoseconds) = components
        let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLargeToo) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLarge || isTooLargeToo ? (seconds < 0 ? .min : .max) : Int(sum)
    }

    /// The rest below ``traceNanoseconds``, in attoseconds: pauses are random fractions of others.
    var traceAttoseconds: Int { Int(components.attoseconds % 1_000_000_000) }
}
