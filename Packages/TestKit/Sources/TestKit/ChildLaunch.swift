// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

extension ChildProcess {
    /// The standard input of a program.
    public enum Input: Sendable {
        /// There is nothing to read.
        case empty
        /// A pipe, which ``ChildProcess/write(_:)`` fills and ``ChildProcess/closeInput()`` ends.
        case pipe
        /// A file with these bytes.
        case bytes([UInt8])
        /// A terminal of its own, in a session of its own. It is also the standard output and the standard error.
        case terminal
        /// The same with a size. A plain ``terminal`` has none, and lines of any length.
        case sizedTerminal(columns: Int, rows: Int)
    }

    /// The destination of what a program writes.
    public enum Sink: Sendable {
        /// This process's own.
        case inherited
        case discarded
        /// The test reads it.
        case captured
        /// A file, which is made, or emptied if it exists.
        case file(String)
        /// The program's own standard output, in the order of writing; for the standard error only.
        case output
    }

    /// The environment of a program.
    public enum Environment: Sendable {
        /// This process's, and these variables.
        case adding([String: String])
        /// These variables alone.
        case only([String: String])
    }
}

/// The descriptors of a program that is about to start. Those that nobody took are closed with it.
final class ChildLaunch {
    /// Held while a program starts. Between its fork and its exec a child has a copy of every descriptor of the tests; a
    /// pipe of another child that is about to start would not be broken by the end of that one.
    static let oneAtATime = Lock(())

    // This process's ends.
    private var input: Int32 = -1
    private var output: Int32 = -1
    private var errors: Int32 = -1
    /// A pipe by which the reading of a terminal is ended.
    private var bell: (read: Int32, write: Int32) = (-1, -1)
    private var childEnds: [Int32] = []
    // Signals as a shell would have them, whatever the threads of a test block and ignore. A group of its own: what the
    // program signals to its whole group does not reach the tests.
    private var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    private var actions = posix_spawn_file_actions_t()

    /// The caller's ends of a program that was started; -1 for those that it has not.
    struct Ends {
        let id: pid_t
        let input: Int32
        let output: Int32
        let errors: Int32
        let bell: (read: Int32, write: Int32)
    }

    init() { posix_spawn_file_actions_init(&actions) }

    deinit {
        posix_spawn_file_actions_destroy(&actions)
        for descriptor in childEnds + [input, output, errors, bell.read, bell.write] where descriptor >= 0 {
            close(descriptor)
        }
    }

    func connect(
        _ input: ChildProcess.Input, _ output: ChildProcess.Sink, _ errors: ChildProcess.Sink
    ) throws(ChildProcess.StartFailure) {
        switch input {
        case .empty: posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        case .pipe:
            let ends = try Self.pipe()
            self.input = ends.write
            adopt(ends.read, as: STDIN_FILENO)
        case .bytes(let bytes): adopt(try file(of: bytes), as: STDIN_FILENO)
        case .terminal: return try connectTerminal()
        case .sizedTerminal(let columns, let rows):
            try connectTerminal()
            return ChildProcess.resize(self.output, columns: columns, rows: rows)
        }
        self.output = try connect(output, as: STDOUT_FILENO)
        self.errors = try connect(errors, as: STDERR_FILENO)
    }

    /// Starts the program; this process's ends are the caller's then.
    func start(
        _ program: String, _ arguments: [String], _ environment: ChildProcess.Environment, in folder: String?
    ) throws(ChildProcess.StartFailure) -> Ends {
        if let folder { try GNUCalls.addChangeOfFolder(&actions, folder) }
        // A pipe that another child inherited would not end with the one that it belongs to.
        try GNUCalls.addClosingOfOthers(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let variables =
            switch environment {
            case .adding(let others): ProcessInfo.processInfo.environment.merging(others) { $1 }
            case .only(let all): all
            }
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var id = pid_t()
        let failure = posix_spawnp(&id, program, &actions, &attributes, &words, &settings)
        guard failure == 0 else { throw ChildProcess.StartFailure(errno: failure) }
        defer { (input, output, errors, bell) = (-1, -1, -1, (-1, -1)) }
        return Ends(id: id, input: input, output: output, errors: errors, bell: bell)
    }

    private func connect(
        _ sink: ChildProcess.Sink, as number: Int32
    ) throws(ChildProcess.StartFailure) -> Int32 {
        switch sink {
        case .inherited: break
        case .discarded: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
        case .file(let path):
            posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        case .output: posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, number)
        case .captured:
            let ends = try Self.pipe()
            adopt(ends.write, as: number)
            return ends.read
        }
        return -1
    }

    private func connectTerminal() throws(ChildProcess.StartFailure) {
        output = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        input = fcntl(output, F_DUPFD_CLOEXEC, 0)
        bell = try Self.pipe()
        var (isLocked, number) = (Int32(0), Int32(0))
        // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which Swift does not import.
        guard output >= 0, input >= 0, ioctl(output, 0x4004_5431, &isLocked) == 0,
            ioctl(output, 0x8004_5430, &number) == 0
        else { throw ChildProcess.StartFailure(errno: errno) }
        // POSIX_SPAWN_SETSID; the first terminal that the leader of a session opens is the session's.
        flags = flags & ~POSIX_SPAWN_SETPGROUP | 0x80
        for stream in STDIN_FILENO...STDERR_FILENO {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/pts/\(number)", O_RDWR, 0)
        }
    }

    private func adopt(_ descriptor: Int32, as number: Int32) {
        childEnds.append(descriptor)
        posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }

    static func pipe() throws(ChildProcess.StartFailure) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw ChildProcess.StartFailure(errno: errno) }
        for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// A file without a name.
    private func file(of bytes: [UInt8]) throws(ChildProcess.StartFailure) -> Int32 {
        var name = Array("/tmp/parley-input-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw ChildProcess.StartFailure(errno: errno) }
        unlink(name)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let count = pwrite(descriptor, bytes, bytes.count, 0)
        guard count == bytes.count else { throw ChildProcess.StartFailure(errno: count < 0 ? errno : ENOSPC) }
        return descriptor
    }
}

/// Calls of glibc's that its Swift module leaves out, since its headers show them to GNU's dialect of C alone.
private enum GNUCalls {
    /// Lets the child start with its three streams alone (glibc 2.34).
    static func addClosingOfOthers(_ actions: inout posix_spawn_file_actions_t) throws(ChildProcess.StartFailure) {
        typealias Function = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>?, Int32) -> Int32
        // SAFETY: the signature is glibc's.
        let call = try unsafeBitCast(function("posix_spawn_file_actions_addclosefrom_np"), to: Function.self)
        guard call(&actions, 3) == 0 else { throw ChildProcess.StartFailure(errno: ENOMEM) }
    }

    /// Lets the child change into a folder before it runs the program (glibc 2.29).
    static func addChangeOfFolder(
        _ actions: inout posix_spawn_file_actions_t, _ folder: String
    ) throws(ChildProcess.StartFailure) {
        typealias Function =
            @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>?, UnsafePointer<CChar>?) -> Int32
        // SAFETY: the signature is glibc's, which copies the path.
        let call = try unsafeBitCast(function("posix_spawn_file_actions_addchdir_np"), to: Function.self)
        guard call(&actions, folder) == 0 else { throw ChildProcess.StartFailure(errno: ENOMEM) }
    }

    private static func function(_ name: String) throws(ChildProcess.StartFailure) -> UnsafeMutableRawPointer {
        guard let symbol = dlsym(nil, name) else { throw ChildProcess.StartFailure(errno: ENOSYS) }
        return symbol
    }
}
