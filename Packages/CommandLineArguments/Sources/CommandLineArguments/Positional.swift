// SPDX-License-Identifier: MIT

/// An argument without a dash that is declared once, in a command's specification, and read by that declaration:
/// ``Positional``.
public protocol CommandPositional: Sendable {
    /// The argument as parsing, help and completion see it.
    var specification: PositionalSpecification { get }
}

/// An argument without a dash, such as `FILE`: one word, none or one (`String?`), or several (`[String]`). The words are parsed, and
/// refused, before the command sees them.
public struct Positional<Value: Sendable>: CommandPositional {
    /// See ``CommandPositional``.
    public let specification: PositionalSpecification

    /// Declares one word of any type.
    ///
    /// - Parameters:
    ///   - name: The name in help, "DAY".
    ///   - expected: The accepted values, for the error, such as "a day such as 2026-01-31".
    ///   - parse: Reads the word; nil if it is invalid.
    public init(
        _ name: String, help: String, completion: Completion = .nothing, expected: UsageText,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        let read = TextReader(expected: expected, parse: parse)
        specification = PositionalSpecification(name: name, arity: .one, help: help, completion: completion) { words in
            read(words[0], of: name).map { $0 as any Sendable }
        }
    }

    /// Declares at least one word of any type.
    public init<Element: Sendable>(
        oneOrMore name: String, help: String, completion: Completion = .nothing, expected: UsageText,
        parse: @escaping @Sendable (String) -> Element?
    ) where Value == [Element] {
        let read = TextReader(expected: expected, parse: parse)
        specification = PositionalSpecification(name: name, arity: .oneOrMore, help: help, completion: completion) {
            words in
            Result { () throws(InvalidValue) in
                try words.map { word throws(InvalidValue) in try read(word, of: name).get() }
            }
        }
    }
}

extension Positional where Value: RawRepresentable<String> {
    /// Declares one word that is one of some values by name.
    public init(_ name: String, help: String, choices: [Value]) {
        let read = TextReader(choices: choices, as: \.rawValue)
        specification = PositionalSpecification(
            name: name, arity: .one, help: help, completion: .choices(choices.map(\.rawValue))
        ) { words in read(words[0], of: name).map { $0 as any Sendable } }
    }
}

extension Positional<String> {
    /// Declares one word.
    public init(_ name: String, help: String, completion: Completion = .nothing) {
        specification = PositionalSpecification(name: name, arity: .one, help: help, completion: completion) {
            .success($0[0])
        }
    }
}

extension Positional<String?> {
    /// Declares a word that may be missing.
    public init(optional name: String, help: String, completion: Completion = .nothing) {
        specification = PositionalSpecification(name: name, arity: .optional, help: help, completion: completion) {
            .success($0.first)
        }
    }
}

extension Positional<[String]> {
    /// Declares at least one word.
    public init(oneOrMore name: String, help: String, completion: Completion = .nothing) {
        specification = PositionalSpecification(name: name, arity: .oneOrMore, help: help, completion: completion) {
            .success($0)
        }
    }

    /// Declares any number of words.
    public init(any name: String, help: String, completion: Completion = .nothing) {
        specification = PositionalSpecification(name: name, arity: .any, help: help, completion: completion) {
            .success($0)
        }
    }
}

/// An argument without a dash, without the type of its value.
public struct PositionalSpecification: Sendable {
    /// The number of words that it takes.
    public enum Arity: Sendable {
        /// Exactly one.
        case one
        /// None or one.
        case optional
        /// At least one.
        case oneOrMore
        /// Any number.
        case any
    }

    /// The name in help, "QUESTION".
    public let name: String
    /// The number of words that it takes.
    public let arity: Arity
    /// One line that says what it is.
    public let help: String
    /// The completions that a shell offers.
    public let completion: Completion
    /// Makes the value of the words, of which there are as many as it takes.
    let parse: @Sendable ([String]) -> Result<any Sendable, InvalidValue>

    /// The argument in a usage line, "[QUESTION]" or "FILE…".
    var usage: String {
        switch arity {
        case .one: name
        case .optional: "[\(name)]"
        case .oneOrMore: "\(name)…"
        case .any: "[\(name)…]"
        }
    }

    /// The words that it takes from the front of these; nil if it needs one and there is none.
    func takes(from words: ArraySlice<String>) -> ArraySlice<String>? {
        switch arity {
        case .one where words.isEmpty, .oneOrMore where words.isEmpty: nil
        case .one, .optional: words.prefix(1)
        case .oneOrMore, .any: words
        }
    }
}
