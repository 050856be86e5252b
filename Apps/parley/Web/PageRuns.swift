// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import FoundationEssentials
import HTTPServer

/// The commands that run for the page.
actor PageRuns {
    /// A run, for the page.
    struct Entry: Encodable {
        let run: String
        let words: [String]
        let isRunning: Bool
        /// Seconds since its start.
        let age: Int
    }

    /// The most commands at once.
    static let limit = 8
    /// The most ended runs that are kept, for pages that are loaded again.
    private static let endedLimit = 16
    /// The time after which a command that uses the microphone ends without a reader.
    private static let patience = Duration.seconds(30)

    private let program: String
    private let loop: SocketLoop
    private let tell: @Sendable (_ command: String, _ line: String) -> Void
    private var runs: [PageRun] = []
    private var number = 0

    /// - Parameters:
    ///   - program: The path of this program.
    ///   - tell: Gets each line of the output of commands that talk.
    init(program: String, tell: @escaping @Sendable (_ command: String, _ line: String) -> Void) throws(SocketError) {
        (self.program, self.tell) = (program, tell)
        loop = try SocketLoop(name: "page-runs")
    }

    deinit { loop.close() }

    /// All runs, the oldest first.
    var entries: [Entry] {
        runs.map { run in
            Entry(
                run: run.id, words: run.words, isRunning: run.exit == nil,
                age: Int((ContinuousClock.now - run.start).components.seconds))
        }
    }

    /// Starts a command.
    ///
    /// - Throws: The errors of ``PageCommands/checked(_:)``; ``PageRefusal`` with 429 if too many run.
    func start(_ words: [String]) async throws -> PageRun {
        let checked = try PageCommands.checked(words)
        guard runs.count(where: { $0.exit == nil }) < Self.limit else {
            throw PageRefusal("Too many commands run at once. End one, then try again.", status: 429)
        }
        number += 1
        // The events of `listen` come by its own socket.
        let tells = words.first == "talk"
        let run = try await PageRun("r\(number)", checked, program: program, loop: loop) { [tell] line in
            if tells { tell("talk", line) }
        }
        runs.append(run)
        let ended = runs.filter { $0.exit != nil }
        if ended.count > Self.endedLimit, let oldest = ended.first { runs.removeAll { $0 === oldest } }
        return run
    }

    /// A run by its name.
    ///
    /// - Throws: ``ServerProblem`` with 404.
    func run(_ id: String) throws -> PageRun {
        guard let run = runs.first(where: { $0.id == id }) else { throw ServerProblem.notFound }
        return run
    }

    /// Runs a command to its end, and returns all that it wrote, as an object in JSON.
    func result(of words: [String], input: String?, limit: Duration = .seconds(120)) async throws -> String {
        let run = try await start(words)
        defer { runs.removeAll { $0 === run } }
        if let input { try await run.write(input) }
        run.endInput()
        let watch = Task {
            try await Task.sleep(for: limit)
            run.stop()
        }
        defer { watch.cancel() }
        await withTaskCancellationHandler {
            for await _ in run.changes() {}
        } onCancel: {
            run.stop()
        }
        return run.lines(from: 0).whole
    }

    /// Ends the commands that hear and that no page reads any more; until the task is cancelled.
    func endForgotten() async throws {
        while true {
            try await Task.sleep(for: .seconds(5))
            for run in runs
            where run.exit == nil && PageCommands.hears(run.words) && run.isForgotten(for: Self.patience) {
                run.stop()
            }
        }
    }

    /// Ends all commands.
    func close() async {
        for run in runs where run.exit == nil { run.stop() }
        for run in runs { for await _ in run.changes() {} }
    }
}
