// SPDX-License-Identifier: MIT

import Concurrency
import Glibc

/// A server's program as it was found, with pipes for its three streams.
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
    func start(input: Int32, output: Int32, errors: Int32) throws(ChildStartFailure) -> RunningChild {
        let hasLauncher = access(Self.launcher, X_OK) == 0
        let words = (hasLauncher ? [Self.launcher, "--pdeathsig", "KILL", "--", program] : [program]) + arguments
        var child = ChildProgram(
            words[0], Array(words.dropFirst()), environment: environment, directory: directory)
        child.input = .descriptor(input)
        child.output = .descriptor(output)
        child.errors = .descriptor(errors)
        return try child.start()
    }
}
