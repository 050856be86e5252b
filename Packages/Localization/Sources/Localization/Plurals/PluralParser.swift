// SPDX-License-Identifier: MIT

/// The reason for which a plural expression cannot be used: the end of a sentence that begins with "The expression".
struct PluralSyntaxError: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Reads a plural expression by precedence climbing, with C's precedence.
struct PluralParser {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    private var nodes: [PluralExpression.Node] = []

    /// By precedence, the loosest first; a longer operator before its prefix.
    private static let operators: [(text: [UInt8], precedence: Int, operation: PluralExpression.Operation)] = [
        ("||", 1, .or), ("&&", 2, .and), ("==", 3, .equal), ("!=", 3, .notEqual), ("<=", 4, .lessOrEqual),
        (">=", 4, .greaterOrEqual), ("<", 4, .less), (">", 4, .greater), ("+", 5, .add), ("-", 5, .subtract),
        ("*", 6, .multiply), ("/", 6, .divide), ("%", 6, .remainder),
    ].map { (Array($0.utf8), $1, $2) }

    init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    /// The nodes, each after those that it depends on.
    mutating func parse() throws(PluralSyntaxError) -> [PluralExpression.Node] {
        _ = try expression()
        guard next() == nil else { throw unexpected() }
        return nodes
    }

    private mutating func expression() throws(PluralSyntaxError) -> Int {
        try enter()
        defer { depth -= 1 }
        let condition = try binary(1)
        guard take("?") else { return condition }
        let first = try expression()
        guard take(":") else { throw unexpected() }
        let second = try expression()
        return add(PluralExpression.Node(operation: .choose, first: condition, second: first, third: second))
    }

    private mutating func binary(_ minimum: Int) throws(PluralSyntaxError) -> Int {
        var left = try unary()
        while next() != nil,
            let found = Self.operators.first(where: { bytes[position...].starts(with: $0.text) }),
            found.precedence >= minimum
        {
            position += found.text.count
            let right = try binary(found.precedence + 1)
            left = add(PluralExpression.Node(operation: found.operation, first: left, second: right))
        }
        return left
    }

    private mutating func unary() throws(PluralSyntaxError) -> Int {
        try enter()
        defer { depth -= 1 }
        if take("!") { return add(PluralExpression.Node(operation: .not, first: try unary())) }
        if take("n") { return add(PluralExpression.Node(operation: .n)) }
        if take("(") {
            let inner = try expression()
            guard take(")") else { throw unexpected() }
            return inner
        }
        let digits = bytes[position...].prefix { (48...57).contains($0) }
        guard !digits.isEmpty else { throw unexpected() }
        guard let number = UInt(String(decoding: digits, as: UTF8.self)) else {
            throw PluralSyntaxError("has a number that is too large")
        }
        position += digits.count
        return add(PluralExpression.Node(operation: .number(number)))
    }

    private mutating func add(_ node: PluralExpression.Node) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }

    private mutating func enter() throws(PluralSyntaxError) {
        depth += 1
        // Each parenthesis is an expression and an operand.
        guard depth <= 2 * PluralExpression.depthLimit else {
            throw PluralSyntaxError("is nested deeper than \(PluralExpression.depthLimit)")
        }
    }

    /// The next byte behind spaces, which are skipped; nil at the end.
    private mutating func next() -> UInt8? {
        while position < bytes.count, bytes[position] == 32 || bytes[position] == 9 { position += 1 }
        return position < bytes.count ? bytes[position] : nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private func unexpected() -> PluralSyntaxError {
        guard position < bytes.count else { return PluralSyntaxError("ends too early") }
        return PluralSyntaxError("has something unexpected at byte \(position)")
    }
}
