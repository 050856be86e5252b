// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Glibc

/// A program that a test runs, reads and kills. It is killed when this object is released. The calls block.
///
/// Not for use from two threads at once.
public final class ChildProcess {
    /// The way a process ended.
    public enum End: Sendable, Hashable {
        /// It ended by itself, with this exit code.
        case exited(Int32)
        /// This signal ended it.
        case signalled(Int32)
    }

    /// The process could not be started; `errno` has the reason.
    public struct StartFailure: Error, Sendable {
        /// The error number of `posix_spawn`.
        public let errno: Int32
    }

    /// The process id.
    public let id: pid_t
    private let output: Int32
    private var unread: [UInt8] = []
    private var end: End?

    /// Starts a program. Its standard input is empty, its standard error is this process's, and it blocks no signal.
    ///
    /// - Parameters:
    ///   - program: A path, or a name on the `PATH`.
    ///   - environment: Variables besides this process's.
    ///   - discardsErrors: True to discard standard error.
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], discardsErrors: Bool = false
    ) throws {
        // A pipe that another child inherited would not end with this one.
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw StartFailure(errno: errno) }
        for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        if discardsErrors { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var process = pid_t()
        let failure = posix_spawnp(&process, program, &actions, &attributes, &words, &settings)
        close(ends[1])
        guard failure == 0 else {
            close(ends[0])
            throw StartFailure(errno: failure)
        }
        id = process
        output = ends[0]
    }

    deinit {
        kill()
        _ = wait()
        close(output)
    }

    /// The path of a program that the build puts beside the tests.
    public static func path(besideTests name: String) -> String {
        let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return runner.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + name
    }

    /// Runs a program to its end.
    ///
    /// - Returns: Its standard output and the way it ended.
    public static func run(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], discardsErrors: Bool = false
    ) throws -> (output: String, end: End) {
        let child = try ChildProcess(
            program, arguments, environment: environment, discardsErrors: discardsErrors)
        let output = child.rest()
        return (String(decoding: output, as: UTF8.self), child.wait())
    }

    /// The next line of its standard output without its end; nil after the last whole line.
    public func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: 10) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            guard readMore() else { return nil }
        }
    }

    /// All whole lines of the remaining output, until the process ends; a last line that a kill cut short is left out.
    public func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }

    /// Sends a signal, unless the process has been waited for.
    public func kill(_ signal: Int32 = SIGKILL) {
        if end == nil { Glibc.kill(id, signal) }
    }

    /// Waits for its end.
    @discardableResult
    public func wait() -> End {
        if let end { return end }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        let end = signal == 0 ? End.exited((status >> 8) & 0xFF) : .signalled(signal)
        self.end = end
        return end
    }

    private func rest() -> [UInt8] {
        while readMore() {}
        defer { unread = [] }
        return unread
    }

    private func readMore() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count > 0 { unread += buffer.prefix(count) }
            return count > 0
        }
    }
}

/// Headers that a shim declares by hand, compared with the library's own by the C compiler.
public enum HeaderAgreement {
    /// Returns true if clang accepts the headers together.
    ///
    /// - Parameters:
    ///   - headers: Files or names to include, in this order.
    ///   - options: Options of clang, for example search paths.
    ///   - assertions: Conditions, in C, that must hold as well.
    public static func holds(_ headers: [String], options: [String] = [], assertions: [String] = []) throws -> Bool {
        let folder = try TemporaryFolder()
        let text = assertions.map { "_Static_assert(\($0), \"\");\n" }.joined()
        let last = try folder.write(text, to: "assertions.h")
        let arguments =
            ["-fsyntax-only", "-x", "c"] + options + (headers + [last]).flatMap { ["-include", $0] } + ["/dev/null"]
        return try ChildProcess.run("clang", arguments, discardsErrors: true).end == .exited(0)
    }

    /// The output of `pkg-config --cflags` for a library.
    public static func options(of library: String) throws -> [String] {
        try ChildProcess.run("pkg-config", ["--cflags", library]).output.split(whereSeparator: \.isWhitespace).map(
            String.init)
    }
}
