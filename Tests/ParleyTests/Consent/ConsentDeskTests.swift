// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Domain
import Echo
import Foundation
import TestKit
import Testing

@testable import parley

@Suite("Consent at the terminal and by parley approve", .timeLimit(.minutes(5)))
struct ConsentDeskTests {
    private let parent: TemporaryFolder
    private var folder: String { parent.file("a consent") }
    private let request = ConsentRequest(
        call: ToolUse(id: "c", name: "add", arguments: #"{"a": 1}"#), server: "calc", target: "calc", reason: nil)

    init() throws { parent = try TemporaryFolder() }

    private func desk(
        _ local: ConsentPrompter?, announces: @escaping @Sendable () async -> Bool = { false },
        wait: @escaping @Sendable () async throws -> Void = {
            await untilCancelled()
            throw CancellationError()
        }, withdraw: @escaping @Sendable () -> Void = {}
    ) -> ConsentDesk {
        ConsentDesk(
            local: local, folder: folder, announce: { _ in await announces() }, withdraw: withdraw, tell: { _ in },
            wait: wait)
    }

    /// Answers with lines, and says when it waits for more.
    private func typing(_ lines: [String], _ asked: @escaping @Sendable () -> Void = {}) -> ConsentPrompter {
        let left = Guarded(lines)
        return ConsentPrompter(size: { (80, 24) }, show: { _ in }) { _ in
            if let line = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return line }
            asked()
            await untilCancelled()
            throw CancellationError()
        }
    }

    private func approve(_ answer: ConsentAnswer?, number: String? = nil) throws -> PendingConsent.Reply? {
        let path = try #require(OwnSocket.paths(in: folder).first)
        return try OwnSocket.exchange(PendingConsent.Message(number: number, answer: answer), at: path)
    }

    @Test func `the terminal answers, and nothing is left`() async throws {
        #expect(try await desk(typing(["y", "yes"])).ask(request) == .yes)
        #expect(OwnSocket.paths(in: folder).isEmpty)
    }

    @Test func `another terminal answers what it was shown`() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let desk = desk(typing(["maybe"]) { ask.yield() })
        let request = request
        async let answer = desk.ask(request)
        for await _ in asked { break }
        let shown = try #require(try approve(nil))
        #expect(shown.request == request)
        let folderMode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
        let path = try #require(OwnSocket.paths(in: folder).first)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(folderMode == 0o700 && mode == 0o600)
        #expect(try approve(.yes, number: "1")?.isTaken == false, "an answer to another question")
        #expect(try approve(.always, number: shown.number)?.isTaken == true)
        #expect(try await answer == .always)
        #expect(OwnSocket.paths(in: folder).isEmpty)
    }

    @Test func `without a terminal it waits only where it was announced`() async throws {
        #expect(try await desk(nil).ask(request) == nil)
        let (announced, announce) = AsyncStream.makeStream(of: Void.self)
        let waiting = desk(
            nil,
            announces: {
                announce.yield()
                return true
            })
        let request = request
        async let answer = waiting.ask(request)
        for await _ in announced { break }
        let shown = try #require(try approve(nil))
        _ = try approve(.no, number: shown.number)
        #expect(try await answer == .no)
        #expect(try await desk(nil, announces: { true }, wait: {}).ask(request) == nil, "nobody answered in time")
    }

    @Test func `the announcement is taken back without an answer, too`() async throws {
        let withdrawals = Guarded(0)
        let withdraw: @Sendable () -> Void = { withdrawals.withLock { $0 += 1 } }
        #expect(try await desk(nil, announces: { true }, wait: {}, withdraw: withdraw).ask(request) == nil)
        #expect(withdrawals.withLock { $0 } == 1)
        let desk = desk(typing([]) { cancelCurrentTask() }, announces: { true }, withdraw: withdraw)
        let asking = Task { [request] in try await desk.ask(request) }
        await #expect(throws: CancellationError.self) { try await asking.value }
        #expect(withdrawals.withLock { $0 } == 2)
    }

    @Test func `what a killed program left is removed`() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        close(try OwnSocket.listen(at: folder + "/1-dead.sock").descriptor)
        #expect(OwnSocket.paths(in: folder).count == 1)
        #expect(try approve(nil) == nil)
        #expect(OwnSocket.paths(in: folder).isEmpty)
    }

    @Test func `a name that no server has is not allowed`() async throws {
        for allowsAll in [false, true] {
            let box = MCPToolBox(
                entries: [], approvals: MCPApprovalFile(path: folder + "/approvals.json"), allowsAll: allowsAll,
                ask: { _ in .always }, connect: { _ in throw CancellationError() })
            let refusal = try await box.refusal(of: ToolUse(id: "c", name: "rm", arguments: "{}")) { _ in }
            #expect(refusal == .unknownTool)
        }
    }
}
