// SPDX-License-Identifier: MIT

import Glibc
import LocalPage
import TestKit
import Testing

@testable import parley

@Suite("Commands that run for the page", .timeLimit(.minutes(5))) struct PageRunsTests {
    private let folder: TemporaryFolder
    private let runs: PageRuns

    /// The command notes its process, and reads nothing.
    init() throws {
        folder = try TemporaryFolder()
        let script = "#!/bin/sh\necho $$ > '\(folder.path)/pid'\nexec sleep infinity\n"
        runs = try PageRuns(
            program: try folder.write(script.utf8, to: "program", mode: 0o700), hub: EventHub())
    }

    @Test func `a command whose request went away while it started is listed, and ends with the page`() async throws {
        let start = Task { [runs] in
            cancelCurrentTask()
            return try await runs.start(["chat"])
        }
        _ = await start.result
        #expect(await runs.entries.map(\.isRunning) == [true])
        await runs.close()
        #expect(await runs.entries.map(\.isRunning) == [false])
    }

    @Test func `a command whose request went away while it got its input ends`() async throws {
        let result = Task { [runs] in
            try await runs.result(of: ["chat"], input: String(repeating: "a", count: 4_000_000))
        }
        var process: Int32?
        try await eventually {
            process = (try? folder.bytes("pid")).flatMap { Int32(String(decoding: $0.dropLast(), as: UTF8.self)) }
            return process != nil
        }
        result.cancel()
        _ = await result.result
        try await eventually { kill(try #require(process), 0) != 0 }
    }

    @Test func `of twenty commands that start at once, eight run`() async throws {
        let started = await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { [runs] in (try? await runs.start(["chat"])) != nil } }
            return await group.reduce(into: 0) { count, isStarted in if isStarted { count += 1 } }
        }
        #expect(started == PageRuns.limit)
        #expect(await runs.entries.count == PageRuns.limit)
        await runs.close()
    }
}
