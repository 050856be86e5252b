// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import FoundationEssentials
import HTTPServer
import LocalPage

/// The commands that run for the page, and what it is told of them.
actor PageRuns {
    /// A run, for the page.
    struct Entry: Encodable {
        let run: String
        let words: [String]
        let pid: Int32?
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
    private let hub: EventHub
    private let loop: SocketLoop
    private var runs: [PageRun] = []
    private var starting = 0
    private var number = 0

    /// - Parameters:
    ///   - program: The path of this program.
    ///   - hub: Its readers are the pages.
    init(program: String, hub: EventHub) throws(SocketError) {
        (self.program, self.hub) = (program, hub)
        loop = try SocketLoop(name: "page-runs")
    }

    deinit { loop.close() }

    /// All runs, the oldest first.
    var entries: [Entry] {
        runs.map { run in
            Entry(
                run: run.id, words: run.words, pid: run.pid, isRunning: run.exit == nil,
                age: Int((ContinuousClock.now - run.start).components.seconds))
        }
    }

    /// Starts a command.
    ///
    /// - Throws: The errors of ``PageCommands/checked(_:)``; ``PageRefusal`` with 429 if too many run.
    func start(_ words: [String]) async throws -> PageRun {
        let checked = try PageCommands.checked(words)
        guard runs.count(where: { $0.exit == nil }) + starting < Self.limit else {
            throw PageRefusal("Too many commands run at once. End one, then try again.", status: 429)
        }
        starting += 1
        defer { starting -= 1 }
        number += 1
        let command = words.first
        let run = try await PageRun("r\(number)", checked, program: program, loop: loop) { [hub] in
            // Its socket has ended before it.
            if command == "listen" { hub.send(#"{"event":"changed","what":"listening"}"#) }
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
        let watch = Task {
            try await Task.sleep(for: limit)
            run.stop()
        }
        defer { watch.cancel() }
        try await withTaskCancellationHandler {
            if let input {
                do { try await run.write(input) } catch {
                    run.stop()
                    throw error
                }
            }
            run.endInput()
            for await _ in run.changes() {}
        } onCancel: {
            run.stop()
        }
        return run.lines(from: 0).whole
    }

    /// Ends the commands that hear and that no page reads any more, until the task is cancelled.
    ///
    /// Listening that a page began is read as long as any page is open.
    func endForgotten() async throws {
        var lastWatched = ContinuousClock.now
        while true {
            try await Task.sleep(for: .seconds(5))
            if hub.readers > 0 { lastWatched = .now }
            let isWatched = ContinuousClock.now - lastWatched <= Self.patience
            for run in runs
            where run.exit == nil && PageCommands.hears(run.words) && run.isForgotten(for: Self.patience)
                && !(isWatched && PageCommands.listens(run.words))
            {
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
