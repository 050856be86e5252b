// SPDX-License-Identifier: MIT

/// The words that a shell offers after the first word of a command line, for every shell.
public struct CompletionWords: Sendable {
    let program: String
    private let commands: [CommandSpecification]
    private let lists: [String: [String]]
    /// The first words, each once, in order.
    let names: [String]

    /// Makes the words.
    ///
    /// - Parameter lists: The words of each ``Completion/list(_:)``, by its name.
    public init(_ table: CommandTable, lists: [String: [String]] = [:]) {
        program = table.program
        commands = table.commands
        self.lists = lists
        names = Self.unique(commands.map { $0.path[0] }, by: { $0 })
    }

    /// The summary of a command; for a group, the names of its subcommands.
    func summary(of name: String) -> String {
        let own = own(name)
        return own.first { $0.path.count == 1 }?.summary ?? subcommands(of: name).joined(separator: ", ")
    }

    /// The subcommands, and the values of arguments without a dash.
    public func arguments(of name: String) -> [String] {
        subcommands(of: name) + own(name).flatMap { $0.positionals.flatMap { words($0.completion) } }
    }

    /// True if an argument without a dash is a file.
    public func takesFiles(_ name: String) -> Bool {
        own(name).contains { $0.positionals.contains { $0.completion == .files } }
    }

    /// The names of options with their dashes, sorted.
    func options(of name: String) -> [String] { allOptions(of: name).map { "--" + $0.name }.sorted() }

    /// The options of all commands that begin with the name. Of several with one name, the one that offers words.
    func allOptions(of name: String) -> [OptionSpecification] {
        let all = own(name).flatMap(\.options)
        return Self.unique(all.filter { $0.completion != .nothing } + all, by: \.name)
    }

    /// The options that take a value.
    public func valueOptions(of name: String) -> [OptionSpecification] {
        allOptions(of: name).filter { $0.placeholder != nil }
    }

    /// The words that a completion offers.
    public func words(_ completion: Completion) -> [String] {
        switch completion {
        case .nothing, .files: []
        case .choices(let words), .suggestions(let words): words
        case .list(let name): lists[name] ?? []
        }
    }

    private func own(_ name: String) -> [CommandSpecification] { commands.filter { $0.path[0] == name } }

    private func subcommands(of name: String) -> [String] { own(name).compactMap { $0.path.dropFirst().first } }

    private static func unique<Value>(_ values: [Value], by key: (Value) -> String) -> [Value] {
        var seen: Set<String> = []
        return values.filter { seen.insert(key($0)).inserted }
    }
}
