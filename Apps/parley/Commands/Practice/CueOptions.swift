// SPDX-License-Identifier: MIT

import Domain

/// Which cues a command is about.
struct CueOptions: Sendable {
    /// The options of every command that takes cues.
    static let all = [
        OptionSpecification(name: "language", short: "l", value: "TAG", help: "Only this language: de, pt-BR"),
        OptionSpecification(name: "topic", short: "t", value: "NAME", help: "Only this topic: travel"),
        OptionSpecification(
            name: "level", value: "NUMBER", help: "Only this level, 1 (first words) to 6",
            completion: .choices(Cue.levels.map { "\($0)" })),
    ]

    /// The query of these options.
    var query: CueQuery

    init(_ invocation: Invocation) throws(UsageError) {
        query = CueQuery(topic: invocation["topic"], level: try invocation.integer("level", in: Cue.levels))
        if let text = invocation["language"] {
            guard let language = LanguageTag(text) else {
                throw UsageError(
                    "\"\(text.printable)\" is no language. Write a tag such as de or pt-BR.",
                    command: invocation.command)
            }
            query.language = language
        }
    }
}

extension Invocation {
    /// The name that a word is, whole or the beginning of it as lists show it.
    func name(_ word: String) throws(UsageError) -> NamePrefix {
        guard let prefix = NamePrefix(word) else {
            let (kind, list) = listed
            throw UsageError(
                "No \(kind) matches \"\(word.printable)\". Give at least 4 characters of a name from: \(list).",
                command: command)
        }
        return prefix
    }

    /// What the command's names are of, and the command that lists them.
    private var listed: (kind: String, list: String) {
        switch command.path[0] {
        case "recordings": ("recording", "parley recordings list")
        case "progress": ("result", "parley progress --list")
        case "uploads": ("upload", "parley uploads list")
        case "sessions": ("session", "parley sessions list")
        default: ("cue", "parley cues list")
        }
    }
}

/// The beginning of a name, such as lists show.
struct NamePrefix: Sendable, Equatable, CustomStringConvertible {
    /// In lower case, 4 to 36 characters.
    let description: String

    init?(_ text: String) {
        let text = text.lowercased()
        guard (4...36).contains(text.utf8.count), text.utf8.allSatisfy({ "0123456789abcdef-".utf8.contains($0) })
        else { return nil }
        description = text
    }

    /// The one of these that begins so.
    ///
    /// - Throws: `notFound` when there is none, `invalidInput` when there are several.
    func one<Entity>(of ids: some Sequence<Identifier<Entity>>, called kind: String) throws -> Identifier<Entity> {
        let found = ids.filter { $0.description.hasPrefix(description) }
        if found.count > 1 {
            throw DomainError.invalidInput("Several \(kind)s begin with \(description). Give more of the name.")
        }
        guard let id = found.first else { throw DomainError.notFound("\(kind) \(description)") }
        return id
    }
}

extension Identifier {
    /// The beginning of the name, as lists show it.
    var short: String { String(description.prefix(8)) }
}
