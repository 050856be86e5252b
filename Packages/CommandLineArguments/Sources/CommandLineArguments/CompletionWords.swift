// SPDX-License-Identifier: MIT

/// The words that a shell offers behind a command or a group, for every shell.
public struct CompletionWords: Sendable {
    let program: String
    private let commands: [CommandSpecification]
    private let lists: [String: [String]]
    /// The first words, each once, in order.
    let names: [String]
    /// The words of each group and of each command as one text, "sync recovery", each once, in order.
    let paths: [String]

    /// Makes the words.
    ///
    /// - Parameter lists: The words of each ``Completion/list(_:)``, by its name.
    public init(_ table: CommandTable, lists: [String: [String]] = [:]) {
        program = table.program
        commands = table.commands
        self.lists = lists
        names = Self.unique(commands.map { $0.path[0] })
        paths = Self.unique(
            commands.flatMap { command in
                command.path.indices.map { command.path[...$0].joined(separator: " ") }
            })
    }

    /// The summary of a command; for a group, the names of its subcommands.
    func summary(of path: String) -> String {
        command(path)?.summary ?? subcommands(of: path).joined(separator: ", ")
    }

    /// The subcommands, and the values of arguments without a dash.
    ///
    /// - Parameter path: The words of a command or a group, "sync recovery".
    public func arguments(of path: String) -> [String] {
        subcommands(of: path) + (followers(of: path).isEmpty ? values(of: path) : [])
    }

    /// The values of arguments by the word before them, if one of them is ``Completion/following(_:)``.
    public func followers(of path: String) -> [(word: String, words: [String])] {
        let followers = (command(path)?.positionals ?? []).flatMap { positional in
            guard case .following(let words) = positional.completion else { return [(word: String, words: [String])]() }
            return words.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
        guard !followers.isEmpty, let last = command(path)?.path.last else { return [] }
        return [(last, values(of: path))] + followers
    }

    private func values(of path: String) -> [String] {
        (command(path)?.positionals ?? []).flatMap { words($0.completion) }
    }

    /// True if an argument without a dash is a file.
    public func takesFiles(_ path: String) -> Bool {
        command(path)?.positionals.contains { $0.completion == .files } ?? false
    }

    /// The names of options with their dashes, sorted.
    func options(of path: String) -> [String] { allOptions(of: path).map { "--" + $0.name }.sorted() }

    /// The options of a command; none for a group.
    func allOptions(of path: String) -> [OptionSpecification] { command(path)?.options ?? [] }

    /// The options that take a value.
    public func valueOptions(of path: String) -> [OptionSpecification] {
        allOptions(of: path).filter { $0.placeholder != nil }
    }

    /// The words that a completion offers.
    public func words(_ completion: Completion) -> [String] {
        switch completion {
        case .nothing, .files, .following: []
        case .choices(let words), .suggestions(let words): words
        case .list(let name): lists[name] ?? []
        }
    }

    private func command(_ path: String) -> CommandSpecification? { commands.first { $0.name == path } }

    func subcommands(of path: String) -> [String] {
        let words = path.split(separator: " ").map(String.init)
        return Self.unique(
            commands.filter { $0.path.count > words.count && $0.path.starts(with: words) }.map { $0.path[words.count] })
    }

    private static func unique(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }
}
