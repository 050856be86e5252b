// SPDX-License-Identifier: MIT

/// A rational number, exact while numerator and denominator fit in 64 bits, else a `Double` (about 15 digits).
public struct ExactNumber: Hashable, Sendable, CustomStringConvertible {
    private enum Storage: Hashable {
        /// In lowest terms, the denominator positive.
        case fraction(Int, Int)
        case approximate(Double)
    }

    private let storage: Storage

    /// An integer.
    public init(_ value: Int) { storage = .fraction(value, 1) }

    /// A fraction; the denominator must not be 0.
    public init(_ numerator: Int, over denominator: Int) {
        precondition(denominator != 0, "a fraction's denominator is not 0")
        let divisor = Self.greatestDivisor(numerator.magnitude, denominator.magnitude)
        let top = numerator.magnitude / divisor
        let bottom = denominator.magnitude / divisor
        if let top = Int(exactly: top), let bottom = Int(exactly: bottom) {
            storage = .fraction((numerator < 0) == (denominator < 0) ? top : -top, bottom)
        } else {
            storage = .approximate(Double(numerator) / Double(denominator))
        }
    }

    /// A number that has no short fraction, such as a root.
    public init(approximating value: Double) { storage = .approximate(value) }

    /// Decimal digits with at most one point; nil for anything else.
    init?(decimal text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }) else {
            return nil
        }
        let decimals = parts.count == 2 ? parts[1].utf8.count : 0
        if decimals <= 18, let digits = Int(parts.joined()), let scale = Self.powerOfTen(decimals) {
            self.init(digits, over: scale)
        } else if let value = Double(text), value.isFinite {
            self.init(approximating: value)
        } else {
            return nil
        }
    }

    /// True if the value is a fraction and not a rounded `Double`.
    public var isExact: Bool {
        if case .fraction = storage { true } else { false }
    }

    /// The nearest `Double`.
    public var doubleValue: Double {
        switch storage {
        case .fraction(let top, let bottom): Double(top) / Double(bottom)
        case .approximate(let value): value
        }
    }

    /// The value if it is an exact integer.
    public var integer: Int? {
        if case .fraction(let top, 1) = storage { top } else { nil }
    }

    /// Numerator and denominator in lowest terms; nil if the value is not exact.
    var fraction: (Int, Int)? {
        if case .fraction(let top, let bottom) = storage { (top, bottom) } else { nil }
    }

    var isZero: Bool { doubleValue == 0 }

    /// Decimal digits, rounded to ten places, without trailing zeros.
    public var description: String {
        if let integer { return String(integer) }
        let value = doubleValue
        guard abs(value) < 1e8, abs(value) >= 1e-6 || value == 0 else { return "\(value)" }
        let rounded = (value * 1e10).rounded() / 1e10
        let text = "\(rounded)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    static func powerOfTen(_ exponent: Int) -> Int? {
        guard (0...18).contains(exponent) else { return nil }
        return (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    private static func greatestDivisor(_ left: UInt, _ right: UInt) -> UInt {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return max(left, 1)
    }
}

extension ExactNumber {
    static func + (left: ExactNumber, right: ExactNumber) -> ExactNumber {
        if case .fraction(let a, let b) = left.storage, case .fraction(let c, let d) = right.storage {
            let (first, overflow1) = a.multipliedReportingOverflow(by: d)
            let (second, overflow2) = c.multipliedReportingOverflow(by: b)
            let (sum, overflow3) = first.addingReportingOverflow(second)
            let (bottom, overflow4) = b.multipliedReportingOverflow(by: d)
            if !(overflow1 || overflow2 || overflow3 || overflow4) { return ExactNumber(sum, over: bottom) }
        }
        return ExactNumber(approximating: left.doubleValue + right.doubleValue)
    }

    static prefix func - (value: ExactNumber) -> ExactNumber { value * ExactNumber(-1) }

    static func - (left: ExactNumber, right: ExactNumber) -> ExactNumber { left + -right }

    static func * (left: ExactNumber, right: ExactNumber) -> ExactNumber {
        if case .fraction(let a, let b) = left.storage, case .fraction(let c, let d) = right.storage {
            // Crosswise in lowest terms first, so that fewer products overflow.
            let x = ExactNumber(a, over: d)
            let y = ExactNumber(c, over: b)
            if case .fraction(let a, let d) = x.storage, case .fraction(let c, let b) = y.storage {
                let (top, overflow1) = a.multipliedReportingOverflow(by: c)
                let (bottom, overflow2) = b.multipliedReportingOverflow(by: d)
                if !(overflow1 || overflow2) { return ExactNumber(top, over: bottom) }
            }
        }
        return ExactNumber(approximating: left.doubleValue * right.doubleValue)
    }

    /// The quotient; nil if `right` is 0.
    static func / (left: ExactNumber, right: ExactNumber) -> ExactNumber? {
        guard !right.isZero else { return nil }
        if case .fraction(let top, let bottom) = right.storage { return left * ExactNumber(bottom, over: top) }
        return ExactNumber(approximating: left.doubleValue / right.doubleValue)
    }

    static func < (left: ExactNumber, right: ExactNumber) -> Bool { (left - right).doubleValue < 0 }
}
