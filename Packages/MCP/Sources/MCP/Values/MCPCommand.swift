// SPDX-License-Identifier: MIT

/// The command that starts a server as a child process.
public struct MCPCommand: Sendable, Hashable {
    /// The program: a path, or a name to be found along `PATH`.
    public var program: String
    /// The program's arguments.
    public var arguments: [String]
    /// Variables for the program. They win over inherited ones.
    public var environment: [String: String]
    /// The variables that the program inherits from this process. Others are left out, since keys and tokens are often
    /// among them.
    public var inheritedVariables = Self.defaultInheritedVariables
    /// The working directory; `nil` for this process's.
    public var directory: String?
    /// The most bytes of the program's standard error that are kept, the newest.
    public var maximumErrorLogBytes = 64 << 10

    /// A command.
    public init(
        _ program: String, arguments: [String] = [], environment: [String: String] = [:], directory: String? = nil
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
    }

    /// The variables that a program needs to run, without any secret.
    public static let defaultInheritedVariables: Set<String> = [
        "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
    ]

    /// The whole environment of the child, from that of this process.
    func environment(from own: [String: String]) -> [String: String] {
        // A function that a shell exports is code to the next shell.
        var result = own.filter { inheritedVariables.contains($0.key) && !$0.value.hasPrefix("()") }
        for (name, value) in environment { result[name] = value }
        return result
    }
}
