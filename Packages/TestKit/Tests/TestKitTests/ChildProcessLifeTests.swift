// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import TestKit
import Testing

/// What a program starts with, and how it ends.
@Suite(.timeLimit(.minutes(5))) struct ChildProcessLifeTests {
    @Test func `its environment is added to or replaced`() throws {
        let added = try ChildProcess("env", environment: .adding(["WORD": "said"])).lines()
        #expect(added.contains("WORD=said") && added.contains { $0.hasPrefix("PATH=") })
        #expect(try ChildProcess("env", environment: .only(["WORD": "said"])).lines() == ["WORD=said"])
    }

    @Test func `it inherits no signals and no files`() throws {
        signal(SIGPIPE, SIG_IGN)
        var (some, before) = (sigset_t(), sigset_t())
        sigemptyset(&some)
        sigaddset(&some, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &some, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        // Without FD_CLOEXEC, as a careless library opens its files.
        let file = open("/dev/zero", O_RDONLY)
        defer { close(file) }
        let said = try ChildProcess("grep", ["-E", "Sig(Blk|Ign)", "/proc/self/status"]).lines()
        // glibc keeps the two beyond the 31 for itself.
        let masks = said.compactMap { Int($0.split(separator: "\t").last ?? "", radix: 16).map { $0 & 0x7FFF_FFFF } }
        #expect(masks == [0, 0], "\(said)")
        let files = try ChildProcess("ls", ["-l", "/proc/self/fd"]).finish().output
        #expect(!files.contains("/dev/zero"), "\(files)")
    }

    @Test func `its group ends with its owner, and is not the test's`() async throws {
        var child: ChildProcess? = try ChildProcess("sh", ["-c", "sleep 600 & echo $!; wait"])
        let id = try #require(child?.id)
        #expect(getpgid(id) == id && getpgrp() != id)
        let other = try #require(child?.line().flatMap { pid_t($0) })
        #expect(kill(other, 0) == 0)
        child = nil
        // The first process of the system reaps it, not this one.
        try await eventually("the other one has ended") {
            let status = (try? String(contentsOfFile: "/proc/\(other)/status", encoding: .utf8)) ?? "State:\tZ"
            return status.contains("State:\tZ")
        }
    }

    @Test func `a cancelled task kills it`() async throws {
        let child = try ChildProcess("sh", ["-c", "echo one; exec sleep 600"])
        #expect(child.text(until: "one").hasPrefix("one"))
        let waiting = Task { await child.finished() }
        waiting.cancel()
        let result = await waiting.value
        #expect(result.output == "one\n" && result.end == .signalled(SIGKILL))
    }

    @Test func `many threads may wait for it and kill it`() async throws {
        for _ in 0..<20 {
            let child = try ChildProcess("sleep", ["600"])
            await withTaskGroup(of: ChildProcess.End.self) { group in
                for _ in 0..<4 { group.addTask { await child.detached { $0.wait() } } }
                for _ in 0..<4 {
                    group.addTask {
                        child.kill()
                        return child.isRunning ? child.wait() : .signalled(SIGKILL)
                    }
                }
                for await end in group { #expect(end == .signalled(SIGKILL)) }
            }
            #expect(!child.isRunning)
            // No signal goes to whoever has the number now.
            child.kill()
        }
    }
}
