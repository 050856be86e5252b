// SPDX-License-Identifier: MIT

import Testing

/// What the tests wait with must not take one text twice.
@Suite(.timeLimit(.minutes(5))) struct TerminalRunTests {
    @Test func `a text that is there once is not there a second time`() async throws {
        let run = try TerminalRun(["/bin/sh", "-c", "echo ready"], environment: [:])
        try await run.shows("ready")
        #expect(await run.code() == 0)
        await #expect(throws: TerminalRun.Ended.self) { try await run.shows("ready") }
    }

    @Test func `a text that is there twice is there a second time, also after the end`() async throws {
        let run = try TerminalRun(["/bin/sh", "-c", "echo ready; echo ready"], environment: [:])
        #expect(await run.code() == 0)
        for _ in 0..<2 { try await run.shows("ready") }
        await #expect(throws: TerminalRun.Ended.self) { try await run.shows("ready") }
    }
}
