// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain

/// The options that select cues.
enum CueOptions {
    /// `--language`.
    static func language(_ help: String) -> ValueOption<LanguageTag> {
        ValueOption(
            "language", short: "l", placeholder: "TAG", help: help, expected: "a tag such as de or pt-BR",
            parse: LanguageTag.init)
    }

    private static let language = language("Only this language: de, pt-BR")
    private static let topic = ValueOption<String>(
        "topic", short: "t", placeholder: "NAME", help: "Only this topic: travel")
    private static let level = ValueOption<Int>(
        "level", placeholder: "NUMBER", help: "Only this level, 1 (first words) to 6",
        choices: Array(Cue.levels))
    /// The options of every command that takes cues.
    static let all: [any CommandOption] = [language, topic, level]

    /// The query from these options.
    static func query(_ invocation: Invocation) -> CueQuery {
        CueQuery(language: invocation[language], topic: invocation[topic], level: invocation[level])
    }
}

extension NamePrefix {
    /// The argument that names one thing of a list, by the command that shows the list.
    static func one(from list: String) -> Positional<NamePrefix> {
        Positional(
            "NAME", help: "Its name, or the beginning of it, as \(list) shows", expected: form(list),
            parse: NamePrefix.init)
    }

    /// The argument that names things of a list.
    static func several(from list: String) -> Positional<[NamePrefix]> {
        Positional(
            oneOrMore: "NAME", help: "Names, or beginnings of them, as \(list) shows", expected: form(list),
            parse: NamePrefix.init)
    }

    /// `--cue`.
    static func cue(_ help: String) -> ValueOption<NamePrefix> {
        let list = "parley cues list"
        return ValueOption(
            "cue", placeholder: "NAME", help: "\(help) (\(list) shows names)", expected: form(list),
            parse: NamePrefix.init)
    }

    /// The form that the argument needs, for its error.
    static func form(_ list: String) -> UsageText {
        UsageText("at least 4 characters (0 to 9, a to f) of a name from {list}", ["list": list])
    }
}

/// The beginning of an id, as lists show it.
struct NamePrefix: Sendable, Equatable, CustomStringConvertible {
    /// The text in lower case, 4 to 36 characters.
    let description: String

    init?(_ text: String) {
        let text = text.lowercased()
        guard (4...36).contains(text.utf8.count), text.utf8.allSatisfy({ "0123456789abcdef-".utf8.contains($0) })
        else { return nil }
        description = text
    }

    /// The only id that begins with this prefix.
    ///
    /// - Throws: `notFound` if no id begins with it, `invalidInput` if several do.
    func one<Entity>(of ids: some Sequence<Identifier<Entity>>, called kind: String) throws -> Identifier<Entity> {
        let found = ids.filter { $0.description.hasPrefix(description) }
        if found.count > 1 {
            throw DomainError.invalidInput("Several names begin with \(description). Give more of the name.")
        }
        guard let id = found.first else { throw DomainError.notFound("\(kind) \(description)") }
        return id
    }
}

extension Identifier {
    /// The beginning of the id, as lists show it.
    var short: String { String(description.prefix(8)) }
}
