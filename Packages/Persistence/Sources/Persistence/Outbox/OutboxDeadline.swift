// SPDX-License-Identifier: MIT

/// The end of a span of time, on a clock that counts from the machine's start.
struct OutboxDeadline: Sendable, Equatable {
    var boot: String
    /// The end, in the clock's milliseconds.
    var at: Int64
    /// The length of the span when it began, in milliseconds.
    var span: Int64

    /// A deadline that has passed.
    static let passed = OutboxDeadline(boot: "", at: 0, span: 0)

    init(boot: String, at: Int64, span: Int64) {
        self.boot = boot
        self.at = at
        self.span = span
    }

    /// A deadline after a span from now.
    init(_ span: Duration, after now: Int64, boot: String) {
        self.boot = boot
        self.span = span.outboxMilliseconds
        at = now + self.span
    }

    /// The deadline as it applies now: passed if the machine has started anew since, and never further away than its
    /// span, as it would be after the clock was set back.
    func seen(at now: Int64, boot: String) -> OutboxDeadline {
        guard boot == self.boot else { return .passed }
        return at - now > span ? OutboxDeadline(boot: boot, at: now + span, span: span) : self
    }

    func hasPassed(at now: Int64) -> Bool { span == 0 || at <= now }
}

extension Duration {
    /// Whole milliseconds, rounded up, from zero to a year.
    var outboxMilliseconds: Int64 {
        let year: Int64 = 366 * 86_400
        guard self > .zero else { return 0 }
        guard components.seconds < year else { return year * 1_000 }
        let part = 1_000_000_000_000_000 as Int64
        return components.seconds * 1_000 + (components.attoseconds + part - 1) / part
    }
}
