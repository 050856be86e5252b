// SPDX-License-Identifier: MIT

/// The arguments of one command, as data that parsing, help and shell completion read.
public struct CommandSpecification: Sendable {
    /// The words that name the command, `["history", "search"]`.
    public let path: [String]
    /// The command's effect in one line, without a full stop.
    public let summary: String
    /// The rest of its help; may be empty.
    public let discussion: String
    /// The arguments without a dash, in order.
    public let positionals: [PositionalSpecification]
    /// The options, the command's own ones before those of every command.
    public private(set) var options: [OptionSpecification]

    /// Declares a command.
    public init(
        path: [String], summary: String, discussion: String = "", positionals: [PositionalSpecification] = [],
        options: [any CommandOption] = []
    ) {
        self.path = path
        self.summary = summary
        self.discussion = discussion
        self.positionals = positionals
        self.options = options.map(\.specification)
    }

    /// The words as one text, "history search".
    public var name: String { path.joined(separator: " ") }

    func adding(_ more: [any CommandOption]) -> CommandSpecification {
        var command = self
        command.options += more.map(\.specification)
        return command
    }
}

/// An argument without a dash.
public struct PositionalSpecification: Sendable {
    /// The number of words that it takes.
    public enum Arity: Sendable {
        /// Exactly one.
        case one
        /// Zero or one.
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
    /// The argument's meaning, in one line.
    public let help: String
    /// The words that a shell offers.
    public let completion: Completion

    /// Declares an argument.
    public init(name: String, arity: Arity, help: String, completion: Completion = .nothing) {
        self.name = name
        self.arity = arity
        self.help = help
        self.completion = completion
    }

    /// The argument in a usage line, "[QUESTION]" or "FILE…".
    var usage: String {
        switch arity {
        case .one: name
        case .optional: "[\(name)]"
        case .oneOrMore: "\(name)…"
        case .any: "[\(name)…]"
        }
    }
}
