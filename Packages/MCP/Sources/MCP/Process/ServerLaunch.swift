// SPDX-License-Identifier: MIT

import Glibc

/// Starts a program with pipes for its three streams, in a process group of its own.
struct ServerLaunch: Sendable {
    let program: String
    let arguments: [String]
    let environment: [String: String]
    let directory: String?

    /// Puts the signal for a parent's death between fork and exec, which posix_spawn cannot do itself (util-linux).
    private static let launcher = "/usr/bin/setpriv"

    /// - Throws: ``MCPError/Code/cannotStart`` if the program or directory does not exist.
    init(_ command: MCPCommand, environment own: [String: String]) throws(MCPError) {
        let texts = [command.program, command.directory ?? ""] + command.arguments
        guard !command.program.isEmpty, !texts.contains(where: { $0.utf8.contains(0) }) else {
            throw MCPError(.invalidServer, "The server's command is empty, or has a NUL byte in it.")
        }
        if let directory = command.directory, access(directory, X_OK) != 0 {
            throw MCPError(.cannotStart, "The directory \(directory) cannot be entered.")
        }
        environment = command.environment(from: own)
        guard let path = Self.find(command.program, in: environment["PATH"], from: command.directory) else {
            throw MCPError(
                .cannotStart,
                "The program \(command.program) was not found or is not executable. Install it, or give its full path.")
        }
        program = path
        arguments = command.arguments
        directory = command.directory
    }

    private static func find(_ program: String, in path: String?, from directory: String?) -> String? {
        func runs(_ path: String) -> Bool {
            var information = stat()
            return access(path, X_OK) == 0 && stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
        }
        guard !program.utf8.contains(UInt8(ascii: "/")) else {
            // The child resolves the path from its own directory.
            let place = program.hasPrefix("/") ? program : (directory.map { $0 + "/" } ?? "") + program
            return runs(place) ? program : nil
        }
        return (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").lazy.map { "\($0)/\(program)" }
            .first(where: runs)
    }

    /// Starts the program. The child gets SIGKILL when the calling thread ends, which therefore must wait for it.
    ///
    /// - Returns: The child's process id, or the reason in `errno`'s numbers.
    func start(input: Int32, output: Int32, errors: Int32) -> (pid: pid_t, failure: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The caller made these descriptors above the first three, so that none is overwritten before it is copied.
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        GNUCalls.addClosingOfOthers(&actions)
        if let directory, !GNUCalls.addChangeOfDirectory(&actions, directory) { return (0, ENOTSUP) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The child must not inherit our blocked and ignored signals.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let hasLauncher = access(Self.launcher, X_OK) == 0
        let words = (hasLauncher ? [Self.launcher, "--pdeathsig", "KILL", "--", program] : [program]) + arguments
        var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid = pid_t()
        let failure = posix_spawn(&pid, words[0], &actions, &attributes, &argv, &envp)
        return (pid, failure)
    }
}
