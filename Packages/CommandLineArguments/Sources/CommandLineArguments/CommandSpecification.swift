// SPDX-License-Identifier: MIT

/// The arguments of one command, as data that parsing, help and shell completion read.
public struct CommandSpecification: Sendable {
    /// The words that name the command, at least one: `["history", "search"]`.
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
        path: [String], summary: String, discussion: String = "", positionals: [any CommandPositional] = [],
        options: [any CommandOption] = []
    ) {
        self.path = path
        self.summary = summary
        self.discussion = discussion
        self.positionals = positionals.map(\.specification)
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
