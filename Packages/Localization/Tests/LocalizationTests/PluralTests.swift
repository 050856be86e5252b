// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Localization

struct PluralTests {
    /// The rules of the GNU gettext manual, "Plural forms".
    private static let rules = [
        ("en", "nplurals=2; plural=(n != 1);"),
        ("de", "nplurals=2; plural=n != 1;"),
        ("es", "nplurals=3; plural=n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2;"),
        (
            "ru",
            "nplurals=3; plural=n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2;"
        ),
        ("pl", "nplurals=3; plural=n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2;"),
        (
            "ar",
            "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;"
        ),
        ("ja", "nplurals=1; plural=0;"),
    ]

    @Test(arguments: rules)
    func `the form equals Python's gettext up to 10,000`(language: String, rule: String) throws {
        let fixture = try CatalogueFixture()
        let header = try PluralRule(header: rule, path: "test")
        let forms = (0..<header.formCount).map { "msgstr[\($0)] \"form \($0)\"\n" }.joined()
        let path = try fixture.add(language, plurals: rule, "msgid \"one\"\nmsgid_plural \"other\"\n\(forms)")
        let program = """
            import gettext, sys
            catalogue = gettext.GNUTranslations(open(sys.argv[1], "rb"))
            print("\\n".join(catalogue.ngettext("one", "other", n) for n in range(10001)))
            """
        let theirs = try python(program, [path]).split(separator: "\n").map(String.init)
        let catalogue = try MessageCatalogue(path: path)
        let ours = (0...10_000).map { catalogue.translation(of: "one", count: $0) ?? "" }
        #expect(ours == theirs)
        #expect(Set(ours).count == (language == "es" ? 2 : header.formCount))
    }

    @Test(
        arguments: [
            ("1 + 2 * 3 - 4 / 2 % 3", 5), ("!n + 1", 1), ("!!n", 1), ("n > 2 == 1", 1), ("2 == 1 < 3", 0),
            ("1 || 0 && 0", 1), ("10 - 3 - 2", 5),
            ("n ? 1 : 0 ? 2 : 3", 1),
            ("0 ? 1 : 0 ? 2 : 3", 3), ("2 && 3", 1), ("0 || 2", 1), ("1 || 1 / 0", 1), ("0 && 1 % 0", 0),
            ("0 - 1 > 5", 1),
            ("\tn <= 7 ", 1), ("((n))", 7), ("1 - 2 - 18446744073709551614", 1),
        ] as [(String, UInt)])
    func `expressions have C's precedence and wrap`(text: String, value: UInt) throws {
        #expect(try PluralExpression(text).value(for: 7) == value)
    }

    @Test(arguments: [
        "", " ", "n n", "n +", "+ n", "-n", "(n", "n)", "n ? 1", "n ? 1 :", "n : 1", "m", "n = 1", "n & 1", "n | 1",
        "1n", "n1",
        "18446744073709551616", "n\0", "n ü", "n; n", "sizeof(n)", "~n", "n << 1", "n[0]", "0x10",
    ])
    func `what is not gettext's C is an error`(text: String) {
        #expect(throws: PluralSyntaxError.self) { try PluralExpression(text) }
    }

    @Test func `long and deep expressions are errors`() throws {
        let long = Array(repeating: "n", count: 5000).joined(separator: "+")
        #expect(throws: PluralSyntaxError("has 9999 bytes, allowed are 1000")) { try PluralExpression(long) }
        for (open, close) in [("(", ")"), ("!", ""), ("n?", ":0"), ("n?0:", "")] {
            func nested(_ depth: Int) throws -> PluralExpression {
                try PluralExpression(
                    String(repeating: open, count: depth) + "n" + String(repeating: close, count: depth))
            }
            #expect(throws: Never.self) { try nested(30) }
            #expect(throws: PluralSyntaxError("is nested deeper than 50")) { try nested(120) }
        }
        // As long as is allowed, and as unbalanced as it can be.
        let widest = try PluralExpression(Array(repeating: "n", count: 500).joined(separator: "+"))
        #expect(widest.value(for: 2) == 1000)
    }

    @Test(arguments: [
        ("nplurals=2; plural=n/0;", "divides by zero for n = 0"), ("nplurals=2; plural=1%(n-150);", "zero for n = 150"),
        ("nplurals=2; plural=n%3;", "form 2 of 2 for n = 2"), ("nplurals=0; plural=0;", "nplurals"),
        ("nplurals=INTEGER; plural=EXPRESSION;", "nplurals"), ("nplurals=2;", "plural is missing"), ("", "nplurals"),
        ("nplurals=2; plural=n==;", "ends too early"), ("nplurals=2; plural=n ? sin(n) : 0;", "byte 4"),
    ])
    func `a rule that cannot be used says why`(header: String, detail: String) throws {
        let error = #expect(throws: LocalizationError.self) { try PluralRule(header: header, path: "x.mo") }
        #expect(error?.code == .pluralForms)
        #expect(error?.message.contains(detail) == true, "\(error?.message ?? "")")
    }

    @Test func `a number past the tried ones may divide by zero`() throws {
        let rule = try PluralRule(header: "nplurals=2; plural=1 / (n - 5000) * 0 + (n > 6000) * 9;", path: "test")
        #expect(rule.form(for: 4999) == 0)
        #expect(rule.form(for: 5000) == nil)
        #expect(rule.form(for: 6001) == nil)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `random bytes never trap`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("nn01259?:|&=!<>+-*/%()  ")
        var valid = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...14, using: &generator)
            let text = String((0..<count).compactMap { _ in alphabet.randomElement(using: &generator) })
            guard let expression = try? PluralExpression(text) else { continue }
            valid += 1
            for n in [0, 1, 2, 11, UInt.max] { _ = expression.value(for: n) }
        }
        #expect(valid > 100, "seed \(seed)")
    }

    @Test(arguments: [11, 12] as [UInt64])
    func `random expressions equal Python's`(seed: UInt64) throws {
        var source = ExpressionSource(generator: SeededGenerator(seed: seed))
        let texts = (0..<600).map { _ in source.number(depth: 4) }
        let numbers: [UInt] = [0, 1, 2, 3, 5, 11, 21, 100, 101, 1_000_000]
        let program = """
            import gettext, sys
            for line in sys.stdin:
                function = gettext.c2py(line.rstrip("\\n"))
                for n in [\(numbers.map(String.init).joined(separator: ", "))]:
                    try: print(function(n))
                    except ZeroDivisionError: print("nil")
            """
        let theirs = try python(program, input: texts.map { $0 + "\n" }.joined()).split(separator: "\n")
        try #require(theirs.count == texts.count * numbers.count)
        var divisions = 0
        for (index, text) in texts.enumerated() {
            let expression = try PluralExpression(text)
            for (offset, n) in numbers.enumerated() {
                let ours = expression.value(for: n).map(String.init) ?? "nil"
                if ours == "nil" { divisions += 1 }
                #expect(ours == theirs[index * numbers.count + offset], "seed \(seed): \(text) for \(n)")
            }
        }
        #expect(divisions > 0, "seed \(seed)")
    }
}

/// Random expressions for which Python's evaluator computes as C does. It differs where a value is below zero or past 64 bits,
/// where `&&` and `||` have numbers (it gives one of them), and after `!`, which it binds loosely.
private struct ExpressionSource {
    var generator: SeededGenerator

    mutating func number(depth: Int) -> String {
        guard depth > 0 else { return pick(["n", "n", "1", "2", "3", "10", "100", "0"]) }
        let (left, right) = (number(depth: depth - 1), number(depth: depth - 1))
        switch Int.random(in: 0...7, using: &generator) {
        case 0: return "\(left) + \(right)"
        case 1: return "(\(left)) % (\(right))"
        case 2: return "n / (\(right))"
        case 3: return "(\(left)) - (\(left)) % (\(pick(["2", "7", "10"])))"
        case 4: return "n * \(pick(["0", "2", "3"])) + \(right)"
        case 5: return "(\(condition(depth: depth - 1)) ? \(left) : \(right))"
        case 6: return "(\(condition(depth: depth - 1)))"
        default: return number(depth: 0)
        }
    }

    private mutating func condition(depth: Int) -> String {
        let operation = pick(["==", "!=", "<", ">", "<=", ">="])
        guard depth > 0 else { return "n \(operation) \(number(depth: 0))" }
        let (left, right) = (condition(depth: depth - 1), condition(depth: depth - 1))
        switch Int.random(in: 0...3, using: &generator) {
        case 0: return "\(left) && \(right)"
        case 1: return "\(left) || \(right)"
        case 2: return "(!(\(left)))"
        default: return "\(number(depth: depth - 1)) \(operation) \(number(depth: 0))"
        }
    }

    private mutating func pick(_ options: [String]) -> String { options.randomElement(using: &generator) ?? "n" }
}
