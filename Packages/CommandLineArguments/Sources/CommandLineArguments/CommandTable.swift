// SPDX-License-Identifier: MIT

/// The commands of a program: parses its command line by the conventions of GNU (`--name=value`, `-xVALUE`, bundled
/// flags, `--` ends the options), and writes help. Options may be anywhere after the command.
public struct CommandTable: Sendable {
    /// The program's name, as a person types it.
    public let program: String
    /// The commands in the order in which help lists them, each with the options of every command.
    public let commands: [CommandSpecification]
    private let hasVersion: Bool

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - everywhere: The options of every command. `-h` and `--help` are added.
    ///   - hasVersion: True to accept `--version`.
    public init(
        program: String, commands: [CommandSpecification], everywhere: [any CommandOption] = [],
        hasVersion: Bool = false
    ) {
        self.program = program
        self.commands = commands.map { $0.adding(everywhere + [Self.help]) }
        self.hasVersion = hasVersion
    }

    private static let help = Flag("help", short: "h", help: "Show this help")

    /// The request of a command line.
    public enum Request: Sendable {
        /// Run a command.
        case run(Invocation)
        /// Show help: of one command, or of the program.
        case help(CommandSpecification?)
        /// Show the commands of a group, such as those of `mcp`.
        case group([CommandSpecification])
        /// Show the version.
        case version
    }

    /// Parses the words after the program's name.
    public func parse(_ words: [String]) throws(UsageError) -> Request {
        guard let first = words.first else { return .help(nil) }
        switch first {
        case "--help", "-h": return .help(nil)
        case "--version" where hasVersion: return .version
        case "help" where words.count == 1: return .help(nil)
        case "help": return try help(on: Array(words.dropFirst()))
        default: break
        }
        let names = Array(words.prefix { !$0.hasPrefix("-") })
        if names == words || ["--help", "-h"].contains(words[names.count]), let group = group(names) {
            return .group(group)
        }
        let command = try command(named: words)
        return try parse(words.dropFirst(command.path.count), for: command)
    }

    private func command(named words: [String]) throws(UsageError) -> CommandSpecification {
        let matches = commands.filter { words.starts(with: $0.path) }
        if let match = matches.max(by: { $0.path.count < $1.path.count }) { return match }
        guard let first = words.first, !first.hasPrefix("-") else {
            throw UsageError(
                UsageText(.commandMissing, ["usage": "\(program) COMMAND \(words.first ?? "")"]), command: nil)
        }
        let known = words.indices.dropFirst().last { group(Array(words[..<$0])) != nil }
        if let known, let group = group(Array(words[..<known])) {
            var names: [String] = []
            for command in group where !names.contains(command.path[known]) { names.append(command.path[known]) }
            let name = words[..<known].joined(separator: " ")
            let others = UsageText(.groupHas, ["group": name, "commands": names.joined(separator: ", ")])
            throw UsageError(
                UsageText(.unknownCommand, ["command": "\(name) \(words[known])"])
                    .followed(by: Suggestion(for: words[known], among: names).sentence).followed(by: others),
                command: nil)
        }
        throw UsageError(
            UsageText(.unknownCommand, ["command": first])
                .followed(by: Suggestion(for: first, among: commands.map(\.name)).sentence), command: nil)
    }

    private func help(on words: [String]) throws(UsageError) -> Request {
        if let group = group(words) { return .group(group) }
        return .help(try command(named: words))
    }

    /// The commands of a group: their paths begin with these words, which are no command themselves. Nil if there are none.
    private func group(_ words: [String]) -> [CommandSpecification]? {
        let own = commands.filter { $0.path.starts(with: words) }
        return own.isEmpty || own.contains { $0.path == words } ? nil : own
    }

    private func parse(_ words: ArraySlice<String>, for command: CommandSpecification) throws(UsageError) -> Request {
        var invocation = Invocation(command: command)
        var rest = words
        var positionals: [String] = []
        var optionsEnded = false
        while let word = rest.popFirst() {
            if optionsEnded || word == "-" || !word.hasPrefix("-") {
                positionals.append(word)
            } else if word == "--" {
                optionsEnded = true
            } else if word.hasPrefix("--") {
                try parseLong(word, &rest, &invocation)
            } else {
                try parseShort(word, &rest, &invocation)
            }
        }
        if invocation.has(Self.help) { return .help(command) }
        for option in command.options {
            guard let texts = invocation.texts[option.name] else { continue }
            switch option.parse(texts) {
            case .success(let value): invocation.values[option.name] = value
            case .failure(let error): throw UsageError(error.text, command: command)
            }
        }
        try parse(positionals: positionals, into: &invocation)
        return .run(invocation)
    }

    private func parseLong(
        _ word: String, _ rest: inout ArraySlice<String>, _ invocation: inout Invocation
    ) throws(UsageError) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let command = invocation.command
        guard let option = command.options.first(where: { $0.name == name }) else {
            let suggestion = Suggestion(for: "--" + name, among: command.options.map { "--" + $0.name })
            throw UsageError(
                UsageText(.unknownOption, ["option": "--" + name]).followed(by: suggestion.sentence), command: command)
        }
        let attached = parts.count > 1 ? String(parts[1]) : nil
        if option.placeholder == nil, attached != nil {
            throw UsageError(UsageText(.valueRefused, ["option": "--" + name]), command: command)
        }
        try add(option, attached, &rest, &invocation)
    }

    private func parseShort(
        _ word: String, _ rest: inout ArraySlice<String>, _ invocation: inout Invocation
    ) throws(UsageError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = invocation.command.options.first(where: { $0.short == letter }) else {
                throw UsageError(
                    UsageText(.unknownOption, ["option": "-\(letter)"])
                        .followed(by: UsageText(.dashedArgument, ["dashes": "--"])), command: invocation.command)
            }
            let attached = option.placeholder != nil && !letters.isEmpty ? String(letters) : nil
            if attached != nil { letters = "" }
            try add(option, attached, &rest, &invocation)
        }
    }

    private func add(
        _ option: OptionSpecification, _ attached: String?, _ rest: inout ArraySlice<String>,
        _ invocation: inout Invocation
    ) throws(UsageError) {
        guard let placeholder = option.placeholder else {
            invocation.flags.insert(option.name)
            return
        }
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
            throw UsageError(
                UsageText(.valueMissing, ["option": "--" + option.name, "value": placeholder]),
                command: invocation.command)
        }
        guard option.isRepeatable || invocation.texts[option.name] == nil else {
            throw UsageError(UsageText(.givenTwice, ["option": "--" + option.name]), command: invocation.command)
        }
        invocation.texts[option.name, default: []].append(value)
    }

    private func parse(positionals words: [String], into invocation: inout Invocation) throws(UsageError) {
        let command = invocation.command
        var rest = words[...]
        for positional in command.positionals {
            guard let taken = positional.takes(from: rest) else {
                throw UsageError(UsageText(.argumentMissing, ["argument": positional.name]), command: command)
            }
            rest = rest.dropFirst(taken.count)
            switch positional.parse(Array(taken)) {
            case .success(let value): invocation.positionals[positional.name] = value
            case .failure(let error): throw UsageError(error.text, command: command)
            }
        }
        if let word = rest.first { throw UsageError(UsageText(.tooMany, ["word": word]), command: command) }
    }
}
