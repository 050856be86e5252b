// SPDX-License-Identifier: MIT

/// An option that is declared once, in a command's specification, and read by that declaration: ``Flag`` or
/// ``ValueOption``.
public protocol CommandOption: Sendable {
    /// The option's specification, for parsing, help and completion.
    var specification: OptionSpecification { get }
}

/// An option without a value, such as `--json`.
public struct Flag: CommandOption {
    /// See ``CommandOption``.
    public let specification: OptionSpecification

    /// Declares a flag.
    ///
    /// - Parameter name: The long name without dashes, "json".
    public init(_ name: String, short: Character? = nil, help: String) {
        specification = OptionSpecification(name: name, short: short, help: help)
    }
}

/// An option with a value, such as `--limit COUNT`. The value is parsed, and refused, before the command sees it.
public struct ValueOption<Value: Sendable>: CommandOption {
    /// See ``CommandOption``.
    public let specification: OptionSpecification

    /// Declares an option of any type.
    ///
    /// - Parameters:
    ///   - name: The long name without dashes, "limit".
    ///   - placeholder: The name of the value in help, "COUNT".
    ///   - expected: The accepted values in the words of the error, "a day such as 2026-01-31".
    ///   - parse: Reads the value; nil for an invalid text.
    public init(
        _ name: String, short: Character? = nil, placeholder: String, help: String, completion: Completion = .nothing,
        expected: UsageText, parse: @escaping @Sendable (String) -> Value?
    ) {
        let read = TextReader(expected: expected, parse: parse)
        specification = OptionSpecification(
            name: name, short: short, placeholder: placeholder, help: help, completion: completion
        ) { texts in read(texts[0], of: "--\(name)").map { $0 as any Sendable } }
    }
}

extension ValueOption<String> {
    /// Declares an option that takes any text.
    public init(
        _ name: String, short: Character? = nil, placeholder: String, help: String, completion: Completion = .nothing
    ) {
        self.init(
            name, short: short, placeholder: placeholder, help: help, completion: completion, expected: "a text"
        ) { $0 }
    }
}

extension ValueOption<Int> {
    /// Declares an option that takes a whole number.
    public init(
        _ name: String, short: Character? = nil, placeholder: String, help: String, in range: ClosedRange<Int>
    ) {
        self.init(
            name, short: short, placeholder: placeholder, help: help,
            expected: UsageText(.wholeNumber, ["first": "\(range.lowerBound)", "last": "\(range.upperBound)"])
        ) { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}

extension ValueOption<[String]> {
    /// Declares an option that may be given several times; its value is the list of texts, in order.
    public init(repeated name: String, placeholder: String, help: String, completion: Completion = .nothing) {
        specification = OptionSpecification(
            name: name, placeholder: placeholder, help: help, completion: completion, isRepeatable: true
        ) { .success($0) }
    }
}

extension ValueOption {
    /// Declares an option that takes one of some values.
    ///
    /// - Parameter text: Writes a value as a person types it.
    public init(
        _ name: String, short: Character? = nil, placeholder: String, help: String, choices: [Value],
        as text: (Value) -> String
    ) {
        let read = TextReader(choices: choices, as: text)
        specification = OptionSpecification(
            name: name, short: short, placeholder: placeholder, help: help, completion: .choices(choices.map(text))
        ) { texts in read(texts[0], of: "--\(name)").map { $0 as any Sendable } }
    }
}

extension ValueOption where Value: RawRepresentable<String> {
    /// Declares an option that takes one of some values by name.
    public init(_ name: String, short: Character? = nil, placeholder: String, help: String, choices: [Value]) {
        self.init(name, short: short, placeholder: placeholder, help: help, choices: choices, as: \.rawValue)
    }
}

extension ValueOption where Value: LosslessStringConvertible {
    /// Declares an option that takes one of some texts or numbers.
    public init(_ name: String, short: Character? = nil, placeholder: String, help: String, choices: [Value]) {
        self.init(name, short: short, placeholder: placeholder, help: help, choices: choices, as: \.description)
    }
}

/// An option without the type of its value.
public struct OptionSpecification: Sendable {
    /// The long name without dashes, "json".
    public let name: String
    /// The letter after one dash.
    public let short: Character?
    /// The name of the value in help, "FILE"; nil for a flag.
    public let placeholder: String?
    /// The option's effect, in one line.
    public let help: String
    /// The words that a shell offers as the value.
    public let completion: Completion
    /// True if it may be given several times.
    public let isRepeatable: Bool
    /// Makes the value of at least one text.
    let parse: @Sendable ([String]) -> Result<any Sendable, InvalidValue>

    init(
        name: String, short: Character? = nil, placeholder: String? = nil, help: String,
        completion: Completion = .nothing, isRepeatable: Bool = false,
        parse: @escaping @Sendable ([String]) -> Result<any Sendable, InvalidValue> = { .success($0) }
    ) {
        self.name = name
        self.short = short
        self.placeholder = placeholder
        self.help = help
        self.completion = completion
        self.isRepeatable = isRepeatable
        self.parse = parse
    }

    /// The option in a list of options, "-o, --output FILE".
    var usage: String {
        (short.map { "-\($0), " } ?? "    ") + "--\(name)" + (placeholder.map { " \($0)" } ?? "")
    }
}

/// The words that a shell offers for a word that is not typed yet.
public enum Completion: Sendable, Equatable {
    /// No words.
    case nothing
    /// Files of the current folder.
    case files
    /// These words, and no other is valid.
    case choices([String])
    /// These words; other valid ones exist.
    case suggestions([String])
    /// Words that depend on the argument before: those for each of its values.
    case following([String: [String]])
    /// A list that the program looks up when it writes the script, by its name in ``CompletionWords``.
    case list(String)
}
