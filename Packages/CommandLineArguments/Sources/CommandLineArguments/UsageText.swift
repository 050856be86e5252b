// SPDX-License-Identifier: MIT

/// A text about a command line before it has a language: an English pattern, which is the key of its translations, with `{name}` for
/// each value.
public struct UsageText: Sendable, Equatable, ExpressibleByStringLiteral {
    /// A value for a placeholder.
    public enum Value: Sendable, Equatable {
        /// A text that is the same in each language.
        case text(String)
        /// A text that is translated itself.
        case translated(UsageText)
    }

    /// The English text with its placeholders.
    public let pattern: String
    /// The values by the names of their placeholders.
    public let values: [String: Value]

    /// - Parameters:
    ///   - pattern: English with `{name}` for each value, and `{{` and `}}` for braces.
    ///   - values: The values by name.
    public init(pattern: String, values: [String: Value]) { (self.pattern, self.values) = (pattern, values) }

    /// - Parameters:
    ///   - pattern: English with `{name}` for each value, and `{{` and `}}` for braces.
    ///   - values: The texts by name, the same in each language.
    public init(_ pattern: String, _ values: [String: String]) {
        self.init(pattern: pattern, values: values.mapValues { .text($0) })
    }

    /// An English text without values.
    public init(stringLiteral text: String) { self.init(text, [:]) }

    init(_ pattern: UsagePattern, _ values: [String: String]) { self.init(pattern.rawValue, values) }

    /// "--limit takes a whole number, not …".
    init(_ argument: String, takes expected: UsageText, not text: String) {
        self.init(
            pattern: UsagePattern.wrongValue.rawValue,
            values: ["argument": .text(argument), "expected": .translated(expected), "text": .text(text)])
    }

    /// This sentence with another one behind it.
    func followed(by next: UsageText?) -> UsageText {
        guard let next else { return self }
        return UsageText(
            pattern: UsagePattern.pair.rawValue, values: ["sentence": .translated(self), "next": .translated(next)])
    }

    /// The text in English.
    public var english: String {
        var (result, rest) = ("", pattern[...])
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            result += rest[..<brace]
            let next = rest.index(after: brace)
            if next < rest.endIndex, rest[next] == rest[brace] {
                result.append(rest[brace])
                rest = rest[rest.index(after: next)...]
            } else if rest[brace] == "{", let end = rest[next...].firstIndex(of: "}"),
                let value = values[String(rest[next..<end])]
            {
                switch value {
                case .text(let text): result += text
                case .translated(let text): result += text.english
                }
                rest = rest[rest.index(after: end)...]
            } else {
                result.append(rest[brace])
                rest = rest[next...]
            }
        }
        return result + rest
    }
}

/// The patterns of this package's texts about a command line.
enum UsagePattern: String, CaseIterable {
    case commandMissing = "Name a command first: {usage}."
    case unknownCommand = "There is no command \"{command}\"."
    case groupHas = "{group} has: {commands}."
    case unknownOption = "There is no option {option}."
    case dashedArgument = "Put an argument that starts with a dash after {dashes}."
    case valueRefused = "The option {option} takes no value."
    case valueMissing = "The option {option} needs a value: {value}."
    case givenTwice = "The option {option} is given twice."
    case argumentMissing = "{argument} is missing."
    case tooMany = "\"{word}\" is one argument too many."
    case wrongValue = "{argument} takes {expected}, not \"{text}\"."
    case wrongChoice = "{argument} cannot be \"{text}\"."
    case choices = "Choose one of: {choices}."
    case wholeNumber = "a whole number from {first} to {last}"
    case suggestion = "Did you mean {word}?"
    case help = "{command} says more."
    case pair = "{sentence} {next}"
}
