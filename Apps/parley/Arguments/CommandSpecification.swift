// SPDX-License-Identifier: MIT

/// What one command takes, as data: parsing, help and shell completion are all read off it.
struct CommandSpecification: Sendable {
    /// The words that name the command, `["history", "search"]`.
    let path: [String]
    /// One line that says what it does.
    let summary: String
    /// What more there is to know, shown by `--help`.
    var discussion = ""
    /// What it takes without a dash, in order.
    var positionals: [PositionalSpecification] = []
    /// What it takes with dashes, besides ``OptionSpecification/everywhere``.
    var options: [OptionSpecification] = []

    /// The words as one text, "history search".
    var name: String { path.joined(separator: " ") }

    /// Every option, its own ones first.
    var allOptions: [OptionSpecification] { options + OptionSpecification.everywhere }
}

/// An argument without a dash.
struct PositionalSpecification: Sendable {
    /// How many words it takes.
    enum Arity: Sendable {
        case one
        case optional
        case oneOrMore
        case any
    }

    /// What help calls it, "QUESTION".
    let name: String
    let arity: Arity
    let help: String
    var completion = Completion.nothing

    /// How usage shows it, "[QUESTION]" or "FILE…".
    var usage: String {
        switch arity {
        case .one: name
        case .optional: "[\(name)]"
        case .oneOrMore: "\(name)…"
        case .any: "[\(name)…]"
        }
    }
}

/// An argument with dashes: a flag, or a name with a value.
struct OptionSpecification: Sendable {
    /// The long name without dashes, "json".
    let name: String
    var short: Character?
    /// What help calls its value, "FILE"; `nil` for a flag.
    var value: String?
    let help: String
    var completion = Completion.nothing

    /// The options that every command takes.
    static let everywhere = [
        OptionSpecification(name: "json", help: "Write JSON: one object, or one event a line"),
        OptionSpecification(name: "verbose", short: "v", help: "Log to standard error what happens inside"),
        OptionSpecification(name: "help", short: "h", help: "Show this help"),
    ]

    /// How usage shows it, "-o, --output FILE".
    var usage: String {
        (short.map { "-\($0), " } ?? "    ") + "--\(name)" + (value.map { " \($0)" } ?? "")
    }
}

/// What a shell offers for a word that is not typed yet.
enum Completion: Sendable, Equatable {
    case nothing
    case files
    /// These, and nothing else.
    case choices([String])
    /// These, and others that are not known here.
    case suggestions([String])
    /// The names of the states.
    case states
    /// The languages that text can be spoken in.
    case spokenLanguages
}
