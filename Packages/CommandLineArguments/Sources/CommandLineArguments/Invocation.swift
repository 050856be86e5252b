// SPDX-License-Identifier: MIT

/// A command with the arguments that were given to it.
public struct Invocation: Sendable {
    /// The command.
    public let command: CommandSpecification
    /// The values of arguments without a dash, by their names; every one that the command declares is there.
    var positionals: [String: any Sendable] = [:]
    var flags: Set<String> = []
    /// The texts of options, as they were typed, and their parsed values.
    var texts: [String: [String]] = [:]
    var values: [String: any Sendable] = [:]
    /// The texts of values that stand in for options that were not given.
    private var defaults: [String: String] = [:]

    init(command: CommandSpecification) { self.command = command }

    /// True if the flag was given. The command must declare it.
    public func has(_ flag: Flag) -> Bool {
        requireDeclaration(of: flag)
        return flags.contains(flag.specification.name)
    }

    /// The argument's value. The command has to declare it.
    public subscript<Value>(positional: Positional<Value>) -> Value {
        let name = positional.specification.name
        guard let value = positionals[name] as? Value else {
            preconditionFailure("\(command.name) reads \(name) without declaring it, or declares another one")
        }
        return value
    }

    /// The option's value; nil if it was not given. The command must declare it.
    public subscript<Value>(option: ValueOption<Value>) -> Value? {
        requireDeclaration(of: option)
        guard let value = values[option.specification.name] else { return nil }
        guard let value = value as? Value else {
            preconditionFailure("\(command.name) declares another --\(option.specification.name)")
        }
        return value
    }

    /// The text of an option's value: as it was typed, or else its default of ``withDefault(_:for:)``.
    public func text(of option: String) -> String? { texts[option]?.last ?? defaults[option] }

    /// The same invocation with a value for an option that was not given. The option does not count as given
    /// (``isGiven(_:)``). Nothing changes if the command has no such option, or if it was given.
    ///
    /// - Throws: ``UsageError`` if the option does not take the text.
    public func withDefault(_ text: String, for option: String) throws(UsageError) -> Invocation {
        guard let option = command.options.first(where: { $0.name == option }), option.placeholder != nil,
            texts[option.name] == nil
        else { return self }
        var invocation = self
        switch option.parse([text]) {
        case .success(let value): invocation.values[option.name] = value
        case .failure(let failure): throw UsageError(failure.text, command: command)
        }
        invocation.defaults[option.name] = text
        return invocation
    }

    /// True if the command declares an option with this name: code that several commands share checks it before
    /// reading.
    public func declares(_ option: some CommandOption) -> Bool {
        command.options.contains { $0.name == option.specification.name }
    }

    /// True if this option was given, with or without a value.
    public func isGiven(_ option: any CommandOption) -> Bool {
        flags.contains(option.specification.name) || texts[option.specification.name] != nil
    }

    /// The names of the options that were given.
    public var givenOptions: Set<String> { flags.union(texts.keys) }

    /// An error about these arguments, in English alone.
    public func error(english message: String) -> UsageError {
        UsageError(UsageText("{message}", ["message": message]), command: command)
    }

    private func requireDeclaration(of option: some CommandOption) {
        precondition(declares(option), "\(command.name) reads --\(option.specification.name) without declaring it")
    }
}

/// A command line that cannot be carried out.
public struct UsageError: Error, Equatable {
    /// The fault and its remedy.
    public let text: UsageText
    /// The text in English.
    public var message: String { text.english }
    /// The command whose help has more; nil if the command line names none.
    public let command: String?

    /// Makes an error about a command's arguments, or about the whole command line.
    public init(text: UsageText, command: CommandSpecification?) { self.init(text, command: command) }

    init(_ text: UsageText, command: CommandSpecification?) {
        (self.text, self.command) = (text, command?.name)
    }

    /// The text, and the command of a program that says more.
    public func advice(of program: String) -> UsageText {
        let help = [program, command, "--help"].compactMap(\.self).joined(separator: " ")
        return text.followed(by: UsageText(.help, ["command": help]))
    }
}
