// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import FoundationEssentials
import Glibc
import Testing

@testable import MCP

/// What a child leaves behind, and what becomes of it without us.
@Suite struct ServerProcessTests {
    private func links() -> [String] {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    }

    private func start(_ program: String, _ arguments: String..., grace: Duration = .seconds(5)) async throws
        -> ServerProcess
    {
        try await ServerProcess.start(MCPCommand(program, arguments: arguments), grace: grace)
    }

    @Test func bytesGoBothWays() async throws {
        let process = try await start("cat")
        try await process.write(Array("hello".utf8))
        #expect(await process.read() == Array("hello".utf8))
        process.shutDown()
        #expect(await process.read() == nil)
        #expect(try await process.end.value() == .exited(0))
        await expectError(.serverEnded) { try await process.write([1]) }
    }

    @Test func nothingIsLeftBehind() async throws {
        let process = try await start("cat")
        let pid = try #require(process.pid)
        let pipes = try (0...2).map {
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\($0)")
        }
        #expect(Set(pipes).isSubset(of: links()), "they are ours while it runs")
        let before = links().count
        for _ in 0..<30 {
            let other = try await start("sh", "-c", "echo out; echo err >&2; exit 3")
            other.shutDown()
            #expect(try await other.end.value() == .exited(3))
        }
        // Other tests open and close some meanwhile; 30 that leak would be 240.
        #expect(links().count < before + 100)
        process.shutDown()
        _ = try await process.end.value()
        #expect(Set(pipes).isDisjoint(with: links()))
        #expect(!FileManager.default.fileExists(atPath: "/proc/\(pid)"))
    }

    @Test func dyingProgramIsReadToItsEnd() async throws {
        let process = try await start("sh", "-c", "head -c 300000 /dev/zero; echo last words >&2; exit 5")
        var count = 0
        while let bytes = await process.read() { count += bytes.count }
        #expect(count == 300_000)
        #expect(try await process.end.value() == .exited(5))
        #expect(process.errorLog == "last words\n")
    }

    @Test func unreadOutputDoesNotHoldUpTheEnd() async throws {
        let process = try await start("sh", "-c", "yes", grace: .milliseconds(50))
        process.shutDown()
        #expect(try await process.end.value() == .killed(signal: SIGTERM))
    }

    @Test func stubbornProgramIsKilled() async throws {
        let process = try await start(
            "sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done", grace: .milliseconds(50))
        #expect(await process.read() == Array("ready\n".utf8))
        process.shutDown()
        #expect(try await process.end.value() == .killed(signal: SIGKILL))
    }

    @Test func outputHeldByAnotherProcessEndsWithTheChild() async throws {
        let process = try await start("sh", "-c", "setsid sleep 20 & echo $!; exit 0")
        var text = ""
        while let bytes = await process.read() { text += String(decoding: bytes, as: UTF8.self) }
        #expect(try await process.end.value() == .exited(0))
        if let pid = Int32(text.dropLast()) { kill(pid, SIGKILL) }
    }

    @Test func childDiesWithTheThreadThatStartedIt() async throws {
        // The kernel sends the signal when the thread ends, as it does when the whole process is killed.
        let launch = try ServerLaunch(MCPCommand("sleep", arguments: ["1000"]), environment: ["PATH": "/usr/bin:/bin"])
        var pipes = try ServerPipes()
        defer { pipes.closeAll() }
        let ends = pipes
        let started = Promise<pid_t>()
        #expect(
            DetachedThread.start {
                let child = try? launch.start(
                    input: ends.childInput, output: ends.childOutput, errors: ends.childErrors)
                let pid = child?.pid ?? 0
                // Only once the program itself runs has it said what is to happen.
                var name = ""
                for _ in 0..<10_000 where name != "sleep\n" {
                    name = (try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)) ?? ""
                    poll(nil, 0, 1)
                }
                started.resolve(.success(pid))
            })
        let pid = try await started.value()
        // A signal to 0 is one to the tests themselves.
        try #require(pid > 0)
        var status: Int32 = 0
        do {
            try await eventually("it is killed") { waitpid(pid, &status, WNOHANG) == pid }
        } catch {
            kill(pid, SIGKILL)
            throw error
        }
        #expect(status & 0x7F == SIGKILL)
    }

    @Test func childGetsNoneOfOurFiles() async throws {
        var ends: [Int32] = [-1, -1]
        // Without FD_CLOEXEC, as a careless library opens its files.
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let process = try await start("sh", "-c", "ls -l /proc/$$/fd")
        var text = ""
        while let bytes = await process.read() { text += String(decoding: bytes, as: UTF8.self) }
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(ends[0])")
        #expect(text.contains("pipe:["))
        #expect(!text.contains(link))
    }

    @Test func serverThatDoesNotReadIsNotFedForEver() async throws {
        let process = try await start("sleep", "1000", grace: .milliseconds(10))
        let piece = [UInt8](repeating: 32, count: 1 << 20)
        let writers = (0..<80).map { _ in Task { try await process.write(piece) } }
        try await eventually("as many wait as may") { process.state.withLock { $0.writings.count } >= 64 }
        await expectError(.congested) { try await process.write(piece) }
        process.shutDown()
        _ = try await process.end.value()
        for writer in writers { _ = await writer.result }
    }

    @Test(arguments: [MCPProtocolVersion.november2025, .july2026])
    func droppedClientEndsItsProgram(_ version: MCPProtocolVersion) async throws {
        var server = Peers.scripted(version.isStateless ? "stateless" : "good")
        server.protocolVersions = [version]
        var client: MCPClient? = MCPClient(server)
        try await client?.connect()
        try await client?.awaitListening()
        let pid = try #require(await client?.childPID)
        client = nil
        try await eventually("the program is gone") { !FileManager.default.fileExists(atPath: "/proc/\(pid)") }
    }
}
