// SPDX-License-Identifier: MIT

/// A command line that cannot be carried out.
struct UsageError: Error, Equatable {
    /// What is wrong, and what to do.
    let message: String
    /// The command whose help would say more.
    let command: String?

    /// Makes an error about a command's arguments, or about the whole command line.
    init(_ message: String, command: CommandSpecification?) {
        self.message = message
        self.command = command?.name
    }
}
