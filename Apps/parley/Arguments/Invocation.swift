// SPDX-License-Identifier: MIT

/// A command with what was given to it; names are those of its specification.
struct Invocation: Sendable {
    let command: CommandSpecification
    var flags: Set<String> = []
    var values: [String: String] = [:]
    var positionals: [String] = []

    /// Makes an invocation without arguments.
    init(command: CommandSpecification) {
        self.command = command
    }

    /// Whether a flag was given.
    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// An option's value.
    subscript(option: String) -> String? { values[option] }

    /// A whole number from an option.
    func integer(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = values[option] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "--\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\".",
                command: command)
        }
        return number
    }
}
