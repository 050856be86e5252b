// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestKit
import Testing

/// A crash of the program, and the start after it.
@Suite(.timeLimit(.minutes(10))) struct CrashTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    /// Crashes at its prompt, after an answer.
    private func crash(by signal: Int32) async throws -> ChildProcess.Result {
        let environment = parley.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let running = try ChildProcess(
            ParleyProcess.executable, ["ask"], environment: .only(environment), input: .terminal)
        return await running.detached { child in
            child.write("What is the capital of Texas?\r")
            _ = child.text(until: "Austin")
            child.kill(signal)
            // Its terminal closes after its end: a hang-up beside the crash would end it before the report is there.
            _ = child.text(until: "\0")
            return child.finish()
        }
    }

    @Test func `the next start says once that there was a crash`() async throws {
        #expect(try await crash(by: SIGABRT).end == .signalled(SIGABRT))
        let next = try await parley.run("history")
        #expect(next.code == 0 && next.errors.contains("crashed. To see where: parley crash show crash-"), "\(next)")
        #expect(next.errors.split(separator: "\n").count == 1, "\(next)")
        #expect(try await parley.run("history").errors.isEmpty)
    }

    @Test func `a crash is listed, shown and deleted`() async throws {
        #expect(try await crash(by: SIGSEGV).end == .signalled(SIGSEGV))
        let list = try await parley.run("crash", "list")
        #expect(list.output.contains("SIGSEGV, parley ") && list.errors.isEmpty, "\(list)")
        let shown = try await parley.run("crash", "show")
        #expect(shown.output.contains("Stack of the thread\n") && shown.output.contains("/parley "), "\(shown)")
        #expect(!shown.output.contains("Texas") && !shown.output.contains("Austin"), "nothing of what was said")
        let id = try #require(list.output.split(separator: " ").first)
        #expect(try await parley.run("crash", "delete", String(id)).code == 0)
        #expect(try await parley.run("crash", "list").output.isEmpty)
        #expect(try await parley.run("crash", "show").code == 3)
    }
}
