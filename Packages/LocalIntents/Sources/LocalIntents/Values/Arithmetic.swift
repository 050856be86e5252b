// SPDX-License-Identifier: MIT

#if canImport(Glibc)
    import Glibc
#endif

/// A calculation without a result.
public enum ArithmeticError: Error, Hashable, Sendable {
    /// A division by zero.
    case divisionByZero
    /// The square root of a negative number, or another power of one that is not real.
    case rootOfNegative
    /// The result is above the largest `Double`.
    case outOfRange
}

/// A calculation as a tree.
public indirect enum Arithmetic: Hashable, Sendable {
    /// A number.
    case number(ExactNumber)
    /// The number with the other sign.
    case negative(Arithmetic)
    /// The first plus the second.
    case sum(Arithmetic, Arithmetic)
    /// The first minus the second.
    case difference(Arithmetic, Arithmetic)
    /// The first times the second.
    case product(Arithmetic, Arithmetic)
    /// The first over the second.
    case quotient(Arithmetic, Arithmetic)
    /// The first to the power of the second.
    case power(Arithmetic, Arithmetic)
    /// A hundredth.
    case percent(Arithmetic)
    /// The first and that many percent of it: "80 plus 15 percent"; less if the second is negative.
    case markup(Arithmetic, percent: Arithmetic)
    /// The percentage that the first is of the second.
    case percentage(Arithmetic, of: Arithmetic)
    /// The square root.
    case squareRoot(Arithmetic)
    /// The cube root.
    case cubeRoot(Arithmetic)

    /// The result, exact where ``ExactNumber`` can hold it.
    ///
    /// - Throws: ``ArithmeticError``.
    public func result() throws(ArithmeticError) -> ExactNumber {
        let result = try evaluated()
        guard result.doubleValue.isFinite else { throw .outOfRange }
        return result
    }

    private func evaluated() throws(ArithmeticError) -> ExactNumber {
        switch self {
        case .number(let value): value
        case .negative(let value): -(try value.result())
        case .sum(let left, let right): try left.result() + right.result()
        case .difference(let left, let right): try left.result() - right.result()
        case .product(let left, let right): try left.result() * right.result()
        case .quotient(let left, let right): try Self.quotient(left.result(), right.result())
        case .power(let base, let exponent): try Self.power(base.result(), exponent.result())
        case .percent(let value): try value.result() * ExactNumber(1, over: 100)
        case .markup(let value, let percent):
            try value.result() * (ExactNumber(1) + percent.result() * ExactNumber(1, over: 100))
        case .percentage(let part, let whole):
            try Self.quotient(part.result() * ExactNumber(100), whole.result())
        case .squareRoot(let value): try value.result().squareRoot()
        case .cubeRoot(let value): try value.result().cubeRoot()
        }
    }

    private static func quotient(_ left: ExactNumber, _ right: ExactNumber) throws(ArithmeticError) -> ExactNumber {
        guard let quotient = left / right else { throw .divisionByZero }
        return quotient
    }

    private static func power(_ base: ExactNumber, _ exponent: ExactNumber) throws(ArithmeticError) -> ExactNumber {
        guard let count = exponent.integer, count.magnitude <= 1000 || base.integer.map({ abs($0) <= 1 }) == true else {
            return try realPower(base, exponent)
        }
        var result = ExactNumber(1)
        var square = base
        var rest = count.magnitude
        while rest > 0 {
            if rest % 2 == 1 { result = result * square }
            rest /= 2
            if rest > 0 { square = square * square }
        }
        guard count < 0 else { return result }
        // A result that is too small for a Double is not a division by zero.
        guard !result.isZero || base.isZero else { throw .outOfRange }
        return try quotient(ExactNumber(1), result)
    }

    /// A power by a fraction, or by an exponent of more steps than are worth taking.
    private static func realPower(
        _ base: ExactNumber, _ exponent: ExactNumber
    ) throws(ArithmeticError) -> ExactNumber {
        switch exponent.fraction {
        case (let count, 2)?: return try power(base.squareRoot(), ExactNumber(count))
        case (let count, 3)?: return try power(base.cubeRoot(), ExactNumber(count))
        default: break
        }
        if base.isZero, exponent.doubleValue < 0 { throw .divisionByZero }
        let result = pow(base.doubleValue, exponent.doubleValue)
        guard !result.isNaN else { throw .rootOfNegative }
        return ExactNumber(approximating: result)
    }
}

extension ExactNumber {
    fileprivate func squareRoot() throws(ArithmeticError) -> ExactNumber {
        guard doubleValue >= 0 else { throw .rootOfNegative }
        return exactRoot {
            $0.squareRoot()
        } power: {
            $0 * $0
        } ?? ExactNumber(approximating: doubleValue.squareRoot())
    }

    fileprivate func cubeRoot() -> ExactNumber {
        func root(_ value: Double) -> Double {
            guard value != 0 else { return 0 }
            // Newton's method, from a start above the root.
            var guess = max(1, value.magnitude)
            for _ in 0..<2000 {
                let next = (2 * guess + value.magnitude / (guess * guess)) / 3
                if next >= guess { break }
                guess = next
            }
            return value < 0 ? -guess : guess
        }
        return exactRoot(root) { $0 * $0 * $0 } ?? ExactNumber(approximating: root(doubleValue))
    }

    /// The root if numerator and denominator both have whole ones.
    private func exactRoot(_ root: (Double) -> Double, power: (ExactNumber) -> ExactNumber) -> ExactNumber? {
        guard let (top, bottom) = fraction, let top = Int(exactly: root(Double(top)).rounded()),
            let bottom = Int(exactly: root(Double(bottom)).rounded()), bottom != 0
        else { return nil }
        let candidate = ExactNumber(top, over: bottom)
        return power(candidate) == self ? candidate : nil
    }
}
