// SPDX-License-Identifier: MIT

/// Reads calculations: "12 times 7", "15 percent of 80", "(3 + 4) * 2", "the square root of 2", "half of 90".
struct ArithmeticReader {
    private static let depthLimit = 24
    private static let sums: [(words: [String], isPlus: Bool)] = [
        (["+"], true), (["plus"], true), (["added", "to"], true), (["-"], false), (["minus"], false),
        (["take", "away"], false), (["less"], false),
    ]
    private static let products: [(words: [String], isTimes: Bool)] = [
        (["*"], true), (["times"], true), (["x"], true), (["multiplied", "by"], true), (["multiplied", "with"], true),
        (["/"], false), (["divided", "by"], false), (["over"], false),
    ]
    private static let multiples = ["double": 2, "twice": 2, "triple": 3, "thrice": 3]
    private static let ordinals = [
        "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
        "tenth": 10,
    ]

    private let tokens: [TextToken]
    private var place: Int
    private var depth = 0
    private var operations = 0

    /// A calculation of at least one operation, and the index after its last token.
    ///
    /// - Parameter isLoose: Accept also signs without blanks alone, which may be a phone number, a score or a year
    ///   ("555-1234", "24/7"). An ISO date never is a calculation.
    static func read(_ tokens: [TextToken], at start: Int, isLoose: Bool) -> (value: Arithmetic, end: Int)? {
        guard DateReader.read(tokens, at: start).map({ $0.end > start + 4 && tokens.has("-", at: start + 1) }) != true
        else { return nil }
        var reader = ArithmeticReader(tokens: tokens, place: start)
        guard let value = reader.sum(), reader.operations > 0 else { return nil }
        if !isLoose, isCompact(tokens[start..<reader.place]) { return nil }
        return (value, reader.place)
    }

    private init(tokens: [TextToken], place: Int) {
        self.tokens = tokens
        self.place = place
    }

    /// True for figures with only hyphens or only slashes between them, and no blanks.
    private static func isCompact(_ tokens: ArraySlice<TextToken>) -> Bool {
        let signs = Set(tokens.filter { $0.kind != .number }.map(\.text))
        let isBound = zip(tokens, tokens.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound }
        return isBound && (signs == ["-"] || signs == ["/"])
    }

    private mutating func take(_ words: [String]) -> Bool {
        guard words.enumerated().allSatisfy({ tokens.text(place + $0.offset) == $0.element }) else { return false }
        place += words.count
        return true
    }

    /// Restores the place if the closure finds nothing.
    private mutating func attempt<Value>(_ read: (inout ArithmeticReader) -> Value?) -> Value? {
        let old = (place, operations)
        if let value = read(&self) { return value }
        (place, operations) = old
        return nil
    }

    private mutating func sum() -> Arithmetic? {
        guard var left = product() else { return nil }
        while let next = attempt({ reader -> (isPlus: Bool, Arithmetic)? in
            guard let sign = Self.sums.first(where: { reader.take($0.words) }), let right = reader.product() else {
                return nil
            }
            return (sign.isPlus, right)
        }) {
            operations += 1
            if case .percent(let rate) = next.1 {
                left = .markup(left, percent: next.isPlus ? rate : .negative(rate))
            } else {
                left = next.isPlus ? .sum(left, next.1) : .difference(left, next.1)
            }
        }
        return left
    }

    private mutating func product() -> Arithmetic? {
        guard var left = factor() else { return nil }
        while let next = attempt({ reader -> (isTimes: Bool, Arithmetic)? in
            guard let sign = Self.products.first(where: { reader.take($0.words) }), let right = reader.factor() else {
                return nil
            }
            return (sign.isTimes, right)
        }) {
            operations += 1
            left = next.isTimes ? .product(left, next.1) : .quotient(left, next.1)
        }
        return left
    }

    /// An operand with what follows it: "squared", "to the power of 3", "percent of 80".
    private mutating func factor() -> Arithmetic? {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.depthLimit, var value = operand() else { return nil }
        while place < tokens.count {
            if take(["squared"]) {
                value = .power(value, .number(ExactNumber(2)))
            } else if take(["cubed"]) {
                value = .power(value, .number(ExactNumber(3)))
            } else if let exponent = attempt({ $0.exponent() }) {
                value = .power(value, exponent)
            } else if take(["percent"]) || take(["per", "cent"]) {
                if let whole = attempt({ $0.take(["of"]) || $0.take(["tip", "on"]) ? $0.factor() : nil }) {
                    value = .product(.percent(value), whole)
                } else if let whole = attempt({ $0.take(["off"]) || $0.take(["less", "than"]) ? $0.factor() : nil }) {
                    value = .markup(whole, percent: .negative(value))
                } else {
                    // Alone it is an operand: "80 plus 15 percent".
                    return .percent(value)
                }
            } else {
                break
            }
            operations += 1
        }
        return value
    }

    private mutating func exponent() -> Arithmetic? {
        if take(["^"]) || take(["to", "the", "power", "of"]) || take(["to", "the", "power"])
            || take(["raised", "to", "the", "power", "of"]) || take(["*", "*"])
        {
            return factor()
        }
        guard take(["to", "the"]) else { return nil }
        if let power = Int(tokens.text(place)), ["nd", "rd", "th"].contains(tokens.text(place + 1)) {
            place += 2
            _ = take(["power"])
            return .number(ExactNumber(power))
        }
        guard let power = Self.ordinals[tokens.text(place)] else { return nil }
        place += 1
        _ = take(["power"])
        return .number(ExactNumber(power))
    }

    private mutating func operand() -> Arithmetic? {
        if let named = attempt({ $0.named() }) { return named }
        if take(["("]) {
            guard let inner = sum(), take([")"]) else { return nil }
            return inner
        }
        if take(["-"]) || take(["minus"]) || take(["negative"]) { return factor().map { .negative($0) } }
        _ = take(["$"]) || take(["€"]) || take(["£"])
        guard let number = NumberReader.unsigned(tokens, at: place) else { return nil }
        place = number.end
        _ = take(["dollars"]) || take(["euros"]) || take(["bucks"])
        if number.value < ExactNumber(1), let whole = attempt({ $0.take(["of"]) ? $0.factor() : nil }) {
            operations += 1
            return .product(.number(number.value), whole)
        }
        return .number(number.value)
    }

    /// "the square root of 2", "the sum of 3 and 4", "subtract 3 from 10", "twice 8".
    private mutating func named() -> Arithmetic? {
        _ = take(["the"])
        let word = tokens.text(place)
        if let factor = Self.multiples[word] {
            place += 1
            return applied { .product(.number(ExactNumber(factor)), $0) }
        }
        if take(["square", "root"]) || take(["root"]) || take(["sqrt"]) || take(["√"]) {
            _ = take(["of"])
            return applied { .squareRoot($0) }
        }
        if take(["cube", "root"]) || take(["cubic", "root"]) {
            _ = take(["of"])
            return applied { .cubeRoot($0) }
        }
        if take(["square", "of"]) || take(["square"]) { return applied { .power($0, .number(ExactNumber(2))) } }
        if take(["cube", "of"]) || take(["cube"]) { return applied { .power($0, .number(ExactNumber(3))) } }
        if take(["sum", "of"]) || take(["add"]) { return pair(["and", "to", "plus"]) { .sum($0, $1) } }
        if take(["product", "of"]) || take(["multiply"]) {
            return pair(["and", "by", "with", "times"]) { .product($0, $1) }
        }
        if take(["divide"]) || take(["quotient", "of"]) { return pair(["by", "and"]) { .quotient($0, $1) } }
        if take(["subtract"]) || take(["take"]) { return pair(["from"]) { .difference($1, $0) } }
        if take(["difference", "between"]) || take(["difference", "of"]) {
            return pair(["and"]) { left, right in
                // The distance of two numbers has no sign.
                if case .number(let a) = left, case .number(let b) = right, a < b { return .difference(right, left) }
                return .difference(left, right)
            }
        }
        return nil
    }

    private mutating func applied(_ operation: (Arithmetic) -> Arithmetic) -> Arithmetic? {
        guard let value = factor() else { return nil }
        operations += 1
        return operation(value)
    }

    private mutating func pair(
        _ joints: [String], _ operation: (Arithmetic, Arithmetic) -> Arithmetic
    ) -> Arithmetic? {
        guard let left = factor(), joints.contains(tokens.text(place)) else { return nil }
        place += 1
        guard let right = factor() else { return nil }
        operations += 1
        return operation(left, right)
    }
}
