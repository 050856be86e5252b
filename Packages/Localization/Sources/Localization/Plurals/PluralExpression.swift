// SPDX-License-Identifier: MIT

/// A plural expression of a catalogue, in the subset of C that GNU gettext allows: `?:`, `||`, `&&`, comparisons, `+ - * / %`,
/// `!`, parentheses, numbers and `n`.
///
/// It computes in unsigned words that wrap, as gettext's `unsigned long` does.
struct PluralExpression: Sendable, Equatable {
    /// Python's `gettext` has the same limit; the longest rule of a language that exists has 200 bytes.
    static let lengthLimit = 1000
    static let depthLimit = 50

    enum Operation: Sendable, Equatable {
        case n, number(UInt), not
        case multiply, divide, remainder, add, subtract
        case less, greater, lessOrEqual, greaterOrEqual, equal, notEqual
        case and, or, choose
    }

    /// An operation on earlier nodes.
    struct Node: Sendable, Equatable {
        var operation: Operation
        var first = 0
        var second = 0
        var third = 0
    }

    private let nodes: [Node]

    /// - Throws: `PluralSyntaxError` for an expression that is invalid, longer than 1,000 bytes or deeper than 50.
    init(_ text: some StringProtocol) throws(PluralSyntaxError) {
        guard text.utf8.count <= Self.lengthLimit else {
            throw PluralSyntaxError("has \(text.utf8.count) bytes, allowed are \(Self.lengthLimit)")
        }
        var parser = PluralParser(text)
        nodes = try parser.parse()
    }

    /// `n != 1`, the rule of English and of many others.
    static let notOne = PluralExpression(nodes: [
        Node(operation: .n), Node(operation: .number(1)), Node(operation: .notEqual, first: 0, second: 1),
    ])

    private init(nodes: [Node]) { self.nodes = nodes }

    /// The value for a number; nil if it divides by zero on the way.
    func value(for n: UInt) -> UInt? { value(nodes.count - 1, n) }

    // The depth is bounded: each level takes a byte of the text at least.
    private func value(_ index: Int, _ n: UInt) -> UInt? {
        let node = nodes[index]
        switch node.operation {
        case .n: return n
        case .number(let number): return number
        case .not: return value(node.first, n).map { $0 == 0 ? 1 : 0 }
        case .and:
            guard let first = value(node.first, n) else { return nil }
            return first == 0 ? 0 : value(node.second, n).map { $0 == 0 ? 0 : 1 }
        case .or:
            guard let first = value(node.first, n) else { return nil }
            return first != 0 ? 1 : value(node.second, n).map { $0 == 0 ? 0 : 1 }
        case .choose:
            guard let condition = value(node.first, n) else { return nil }
            return value(condition != 0 ? node.second : node.third, n)
        default:
            guard let first = value(node.first, n), let second = value(node.second, n) else { return nil }
            return Self.apply(node.operation, first, second)
        }
    }

    private static func apply(_ operation: Operation, _ first: UInt, _ second: UInt) -> UInt? {
        switch operation {
        case .multiply: first &* second
        case .divide: second == 0 ? nil : first / second
        case .remainder: second == 0 ? nil : first % second
        case .add: first &+ second
        case .subtract: first &- second
        case .less: first < second ? 1 : 0
        case .greater: first > second ? 1 : 0
        case .lessOrEqual: first <= second ? 1 : 0
        case .greaterOrEqual: first >= second ? 1 : 0
        case .equal: first == second ? 1 : 0
        case .notEqual: first != second ? 1 : 0
        default: nil
        }
    }
}
