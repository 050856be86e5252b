// SPDX-License-Identifier: MIT

import CPocketSphinx
import Concurrency
import Diagnostics
internal import Glibc

/// A child process that reads a text from its standard input; this type reads its standard output.
///
/// The reader of the output calls ``wait()`` at its end, which leaves no zombie; any thread may call ``kill()``.
final class ChildProcess: Sendable {
    enum End: Sendable, Equatable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    private let process: Guarded<pid_t?>
    private let output: Int32

    /// Starts `program`, found along PATH. The input is a memory file, so a child that ends early cannot raise SIGPIPE
    /// and one that does not read cannot block.
    init(_ program: String, _ arguments: [String], input: String) throws(SpeechError) {
        let inputFile = try MemoryFile(input.utf8)
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw Self.cannotStart(program, errno) }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inputFile.descriptor, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid = pid_t()
        let failure = posix_spawnp(&pid, program, &actions, nil, &words, environ)
        guard failure == 0 else {
            close(ends[0])
            throw Self.cannotStart(program, failure)
        }
        output = ends[0]
        process = Guarded(pid)
    }

    deinit { close(output) }

    /// The next bytes of the output; nil at its end. Blocks.
    func read() -> [UInt8]? {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { target, initialized in
            repeat { count = Glibc.read(output, target.baseAddress, 4096) } while count < 0 && errno == EINTR
            initialized = max(0, count)
        }
        return count > 0 ? bytes : nil
    }

    /// Waits for the end of the program and reaps it.
    func wait() -> End {
        guard let pid = process.withLock({ $0 }) else { return .exited(0) }
        // Waits without reaping first, so that kill() never ends another process that has got the same id.
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        return process.withLock { current in
            current = nil
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
            let signal = status & 0x7F
            return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
        }
    }

    /// Ends the program at once; has no effect once it was reaped.
    func kill() {
        process.withLock { if let pid = $0 { _ = Glibc.kill(pid, SIGKILL) } }
    }

    private static func cannotStart(_ program: String, _ reason: Int32) -> SpeechError {
        SpeechError(
            .synthesizerMissing, "The program \(program) cannot be started. Install the package espeak-ng.",
            underlying: String(cString: strerror(reason)))
    }
}
