// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import LocalIntents

@Suite struct ArithmeticTests {
    private func result(_ text: String) throws -> Result<ExactNumber, ArithmeticError>? {
        guard case .calculate(let calculation)? = IntentReader().read(text)?.intent else { return nil }
        return Result { () throws(ArithmeticError) in try calculation.result() }
    }

    @Test(arguments: [
        ("2 + 3 * 4", "14"), ("(2 + 3) * 4", "20"), ("2 - 3 - 4", "-5"), ("24 / 4 / 2", "3"), ("-3 * -4", "12"),
        ("2 to the power of 10", "1024"), ("2 to the 8th", "256"), ("three cubed", "27"), ("the cube root of 27", "3"),
        ("the square root of 1/4", "0.25"), ("the square root of 2.25", "1.5"), ("half of 50 percent of 80", "20"),
        ("100 minus 10 percent", "90"), ("80 plus 15 percent plus 8", "100"), ("20 percent off 50", "40"),
        ("15 percent tip on 60 dollars", "9"), ("the sum of 3 and 4", "7"), ("the difference between 5 and 8", "3"),
        ("subtract 3 from 10", "7"), ("divide 1 by 3", "0.3333333333"), ("twice 21", "42"), ("0.1 + 0.2", "0.3"),
        ("12 is what percent of 80", "15"), ("what percentage of 50 is 10", "20"), ("2 ^ -2", "0.25"),
        ("2 to the power of 0.5", "1.4142135624"), ("4 ^ 0.5", "2"), ("4 ^ 1.5", "8"), ("4 ^ -0.5", "0.5"),
        ("27 ^ (1 / 3)", "3"), ("(-8) ^ (1 / 3)", "-2"), ("2 ^ 0.3", "1.2311444133"), ("0 ^ 0.3", "0"),
        ("1 to the power of 5000", "1"), ("(-1) ^ 5001", "-1"), ("0 ^ 5000", "0"), ("0.5 ^ 5000", "0"),
        ("1.0001 ^ 10000", "2.7181459268"), ("1 ^ -9223372036854775807", "1"),
        ("1000000 times 1000000 times 1000000 times 1000000", "1e+24"),
    ]) func `calculations are read and worked out`(text: String, value: String) throws {
        #expect(try result(text)?.get().description == value)
    }

    @Test func `a calculation without a result has a typed error`() throws {
        #expect(try result("what is 5 divided by 0") == .failure(.divisionByZero))
        #expect(try result("5 / (3 - 3)") == .failure(.divisionByZero))
        #expect(try result("0 to the power of minus 1") == .failure(.divisionByZero))
        #expect(try result("what percent of 0 is 5") == .failure(.divisionByZero))
        #expect(try result("square root of minus 4") == .failure(.rootOfNegative))
        #expect(try result("10 to the power of 999") == .failure(.outOfRange))
        #expect(try result("2 to the power of 5000") == .failure(.outOfRange))
        #expect(try result("0.1 to the power of minus 1000") == .failure(.outOfRange))
        #expect(try result("0 to the power of minus 0.3") == .failure(.divisionByZero))
        #expect(try result("0 to the power of minus 5000") == .failure(.divisionByZero))
        #expect(try result("(-4) ^ 0.5") == .failure(.rootOfNegative))
        #expect(try result("(-4) ^ 0.3") == .failure(.rootOfNegative))
    }

    @Test(arguments: [
        "2027-05-03", "555-1234", "24/7", "what is 12", "what is 15 percent", "(1 + 2", "1 + ",
        "what is 2027-05-03 - 1",
    ])
    func `dates, telephone numbers and unfinished calculations are not calculated`(text: String) throws {
        #expect(try result(text) == nil)
    }

    private indirect enum Tree {
        case leaf(Int)
        case node(Tree, Character, Tree)

        init(depth: Int, using generator: inout SeededGenerator) {
            if depth == 0 || Int.random(in: 0..<4, using: &generator) == 0 {
                self = .leaf(Int.random(in: 0...99, using: &generator))
            } else {
                let sign = "+-*/".randomElement(using: &generator) ?? "+"
                self = .node(Tree(depth: depth - 1, using: &generator), sign, Tree(depth: depth - 1, using: &generator))
            }
        }

        var text: String {
            switch self {
            case .leaf(let value): "\(value)"
            case .node(let left, let sign, let right): "(\(left.text) \(sign) \(right.text))"
            }
        }

        var value: Double {
            switch self {
            case .leaf(let value): Double(value)
            case .node(let left, let sign, let right):
                switch sign {
                case "+": left.value + right.value
                case "-": left.value - right.value
                case "*": left.value * right.value
                default: right.value == 0 ? .nan : left.value / right.value
                }
            }
        }
    }

    @Test func `random trees agree with floating point`() throws {
        var generator = SeededGenerator(seed: 99)
        let reader = IntentReader()
        for _ in 0..<500 {
            let tree = Tree(depth: 4, using: &generator)
            guard case .node = tree else { continue }
            guard case .calculate(let calculation)? = reader.read("what is " + tree.text)?.intent else {
                Issue.record("not read: \(tree.text)")
                continue
            }
            if let result = try? calculation.result() {
                #expect(abs(result.doubleValue - tree.value) <= 1e-9 * max(1, abs(tree.value)), "\(tree.text)")
            } else {
                #expect(tree.value.isNaN, "\(tree.text)")
            }
        }
    }
}
