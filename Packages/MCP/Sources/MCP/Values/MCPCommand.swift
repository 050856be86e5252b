// SPDX-License-Identifier: MIT

/// How a server is started as a child process.
public struct MCPCommand: Sendable, Hashable {
    /// The program: a path, or a name to be found along `PATH`.
    public var program: String
    /// What it gets.
    public var arguments: [String]
    /// Variables for it. They win over inherited ones.
    public var environment: [String: String]
    /// The variables that it inherits from this process. Others stay behind, since keys and tokens are often among them.
    public var inheritedVariables = Self.defaultInheritedVariables
    /// Where it runs; `nil` for here.
    public var directory: String?
    /// How many bytes of its standard error are kept, the newest.
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

    /// What a program needs to find its way about, and no secret.
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
