// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import FoundationEssentials
import Glibc
import StructuredJSON
import TerminalKit

/// A command that runs for the page, as a child process: what it writes is kept, so that a page that was loaded again goes on with it.
final class PageRun: Sendable {
    /// A line of its output.
    struct Line: Sendable {
        /// The origin of a line.
        enum Kind: String, Sendable {
            /// An object of the standard output.
            case out
            /// A text of the standard error.
            case note
            /// The exit code, the last line.
            case exit
        }

        let kind: Kind
        /// The value in JSON.
        let json: String
    }

    /// The lines from a number on.
    struct Page: Sendable {
        let first: Int
        let lines: [Line]
        let isOver: Bool

        /// The lines, each an object with its number.
        var numbered: [String] {
            lines.enumerated().map { #"{"n":\#(first + $0),"\#($1.kind.rawValue)":\#($1.json)}"# }
        }

        /// Everything as one object: `exit`, `out`, `notes`.
        var whole: String {
            func all(_ kind: Line.Kind) -> String {
                lines.filter { $0.kind == kind }.map(\.json).joined(separator: ",")
            }
            return #"{"exit":\#(all(.exit)),"out":[\#(all(.out))],"notes":[\#(all(.note))]}"#
        }
    }

    private struct State {
        /// The newest lines.
        var lines: [Line] = []
        /// The number of the first one of them.
        var first = 0
        var bytes = 0
        var exit: Int32?
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextReader = 0
        var lastReaderLeft: ContinuousClock.Instant? = .now
    }

    /// The most bytes of output that are kept.
    private static let limit = 64 << 20
    private static let lineLimit = 32 << 20
    /// Gives a child the signal when this program ends, however it ends (util-linux).
    private static let launcher = "/usr/bin/setpriv"
    private static let patience = Duration.seconds(5)

    let id: String
    let words: [String]
    let start = ContinuousClock.now
    private let state = Guarded(State())
    private let streams: SocketStream
    private let child = Guarded<RunningChild?>(nil)

    /// Starts the program with these words.
    ///
    /// - Parameter ended: Is called when it has ended.
    /// - Throws: ``PageRefusal`` with 503.
    init(
        _ id: String, _ words: [String], program: String, loop: SocketLoop, ended: @escaping @Sendable () -> Void
    ) async throws {
        (self.id, self.words) = (id, words)
        let (own, its) = try Self.pair()
        let (ownErrors, itsErrors) = try Self.pair()
        streams = SocketStream(own, loop: loop)
        let errors = SocketStream(ownErrors, loop: loop)
        let started = Promise<Void>()
        let end = Promise<Int32>()
        let hasLauncher = access(Self.launcher, X_OK) == 0
        let environment = try HandedWords.environment(words)
        let launcher = hasLauncher ? [Self.launcher, "--pdeathsig", "TERM", "--"] : []
        let all = launcher + [program] + HandedWords.arguments(words)
        // The thread that starts the child waits for it: the kernel takes its end for the parent's.
        let isRunning = DetachedThread.start(name: "page-run") { [self] in
            var launch = ChildProgram(all[0], Array(all.dropFirst()), environment: environment)
            (launch.input, launch.output, launch.errors) = (.descriptor(its), .descriptor(its), .descriptor(itsErrors))
            // The terminal of the dashboard is not the one to ask a person of the page at.
            launch.hasOwnSession = true
            let running: RunningChild
            do throws(ChildStartFailure) { running = try launch.start() } catch {
                for descriptor in [its, itsErrors] { close(descriptor) }
                started.resolve(.failure(error))
                return
            }
            for descriptor in [its, itsErrors] { close(descriptor) }
            child.withLock { $0 = running }
            started.resolve(.success(()))
            switch running.wait() {
            case .exited(let code): end.resolve(.success(code))
            case .killed(let signal): end.resolve(.success(128 + signal))
            }
        }
        guard isRunning else { throw Self.unavailable("the system gave no thread") }
        // A cancelled task gets the run, too: its child starts in any case, and must have an owner who ends it.
        do { try await started.valueDespiteCancellation() } catch { throw Self.unavailable("\(error)") }
        Task { [self] in
            await withTaskGroup { group in
                group.addTask {
                    for await line in self.streams.lines(limit: Self.lineLimit) { self.take(output: line) }
                }
                group.addTask { for await line in errors.lines(limit: Self.lineLimit) { self.take(note: line) } }
            }
            let code = (try? await end.value()) ?? 1
            add(.exit, "\(code)")
            state.withLock { $0.exit = code }
            wake()
            ended()
        }
    }

    /// The process; nil when it has ended.
    var pid: Int32? { child.withLock { $0?.pid } }

    /// The exit code; nil while it runs.
    var exit: Int32? { state.withLock { $0.exit } }

    /// True if nobody has read it for that long.
    func isForgotten(for time: Duration) -> Bool {
        state.withLock { state in state.lastReaderLeft.map { ContinuousClock.now - $0 > time } ?? false }
    }

    /// The kept lines from a number on.
    func lines(from number: Int) -> Page {
        state.withLock { state in
            let first = max(number, state.first)
            let lines = Array(state.lines.dropFirst(first - state.first))
            return Page(first: first, lines: lines, isOver: state.exit != nil)
        }
    }

    /// An element for each time that there are more lines, beginning at once; it ends with the run.
    func changes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let (key, isOver) = state.withLock { state in
                state.nextReader += 1
                state.readers[state.nextReader] = continuation
                state.lastReaderLeft = nil
                return (state.nextReader, state.exit != nil)
            }
            continuation.yield()
            if isOver { continuation.finish() }
            continuation.onTermination = { [self] _ in
                state.withLock { state in
                    state.readers[key] = nil
                    if state.readers.isEmpty { state.lastReaderLeft = .now }
                }
            }
        }
    }

    /// Writes to its standard input.
    func write(_ text: String) async throws {
        do { try await streams.write(Array(text.utf8)) } catch {
            throw PageRefusal("The command takes no more input.", status: 409)
        }
    }

    /// Ends its standard input.
    func endInput() { streams.endWriting() }

    /// Ends it as Ctrl-C does, and by force if it does not end.
    func stop() {
        child.withLock { $0 }?.signal(SIGINT)
        Task { [self] in
            try? await Task.sleep(for: Self.patience)
            if exit == nil { child.withLock { $0 }?.signal(SIGKILL) }
        }
    }

    private func take(output bytes: [UInt8]) {
        let line = String(decoding: bytes, as: UTF8.self)
        guard (try? JSONValue(parsing: bytes)) != nil else { return take(note: bytes) }
        add(.out, line)
    }

    private func take(note bytes: [UInt8]) {
        guard let text = try? JSONEncoder().encode(String(decoding: bytes, as: UTF8.self)) else { return }
        add(.note, String(decoding: text, as: UTF8.self))
    }

    private func add(_ kind: Line.Kind, _ json: String) {
        state.withLock { state in
            state.lines.append(Line(kind: kind, json: json))
            state.bytes += json.utf8.count
            var dropped = 0
            while state.bytes > Self.limit, dropped + 1 < state.lines.count {
                state.bytes -= state.lines[dropped].json.utf8.count
                dropped += 1
            }
            if dropped > 0 {
                state.lines.removeFirst(dropped)
                state.first += dropped
            }
        }
        wake()
    }

    private func wake() {
        let (readers, isOver) = state.withLock { ($0.readers.values, $0.exit != nil) }
        for reader in readers {
            reader.yield()
            if isOver { reader.finish() }
        }
    }

    private static func pair() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw unavailable(String(cString: strerror(errno)))
        }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return (ends[0], ends[1])
    }

    private static func unavailable(_ reason: String) -> PageRefusal {
        PageRefusal("The command could not be started: \(reason).", status: 503)
    }
}
