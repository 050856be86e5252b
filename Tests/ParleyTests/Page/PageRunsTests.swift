// SPDX-License-Identifier: MIT

import Glibc
import HTTPServer
import LocalPage
import StructuredJSON
import TestKit
import Testing

@testable import parley

@Suite("Commands that run for the page", .timeLimit(.minutes(5))) struct PageRunsTests {
    private let folder: TemporaryFolder
    private let runs: PageRuns

    /// The command notes its arguments and its process, and reads nothing.
    init() throws {
        folder = try TemporaryFolder()
        let script = """
            #!/bin/sh
            cat /proc/$$/cmdline > '\(folder.path)/arguments'
            echo $$ > '\(folder.path)/pid'
            exec sleep infinity

            """
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

    @Test func `typed words are not among the arguments, which all users of the machine can read`() async throws {
        let word = "planted-\(UInt64.random(in: 0..<(.max)))"
        _ = try await runs.start(["ask", word])
        try await eventually { (try? folder.bytes("pid")) != nil }
        let arguments = try folder.bytes("arguments").split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        #expect(arguments == ["/bin/sh", folder.file("program"), "ask"])
        await runs.close()
    }

    @Test(arguments: [0, 0x1F642])
    func `a word reaches the command as it was typed`(_ scalar: UInt32) async throws {
        let word = "a\"\\\n" + String(Unicode.Scalar(scalar).map(Character.init) ?? "?")
        guard scalar != 0 else {
            await #expect(throws: PageRefusal.self) { try await runs.start(["ask", word]) }
            return
        }
        let echo = try folder.write("#!/bin/sh\nprintf '%s\\n' \"$PARLEY_PAGE_WORDS\"\n".utf8, to: "echo", mode: 0o700)
        let told = try await PageRuns(program: echo, hub: EventHub()).result(of: ["ask", word], input: nil)
        let words = try JSONValue(parsing: Array(told.utf8))["out"]?[0]?.array?.compactMap(\.string)
        #expect(words == ["ask", word, "--json"])
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
