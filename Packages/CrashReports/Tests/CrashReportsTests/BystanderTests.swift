// SPDX-License-Identifier: MIT

import CrashReports
import FoundationEssentials
import Glibc
import TestKit
import Testing

/// A report changes nothing else, and says nothing that is not for it.
@Suite(.timeLimit(.minutes(10)))
struct BystanderTests {
    @Test func `a program that ends well leaves nothing`() async throws {
        let crash = try await Crash("well")
        #expect(crash.result.end == .exited(0))
        #expect(try crash.folder.names().isEmpty)
    }

    @Test func `a signal that was ignored stays ignored`() async throws {
        let crash = try await Crash("ignored")
        #expect(crash.result.end == .exited(0))
        #expect(try crash.folder.names().isEmpty)
    }

    @Test func `only the user can read a report`() async throws {
        let crash = try await Crash("null")
        #expect(try crash.folder.mode(try #require(crash.folder.names().first)) == 0o600)
    }

    @Test func `no secret of the memory is in a report`() async throws {
        let secret = "Zq7Kx2Vw9LmT4sBn"
        let crash = try await Crash("secret", environment: ["PROBE_SECRET": secret])
        #expect(crash.result.end == .signalled(SIGSEGV))
        let text = try crash.text
        #expect(text.contains("the token is <private>"))
        let digits = secret.utf8.prefix(8).map { String($0, radix: 16) }
        let number = digits.joined()
        let traces = [secret, String(secret.prefix(6)), number, digits.reversed().joined(), "what a person said"]
        for trace in traces {
            #expect(!text.contains(trace))
        }
    }

    @Test func `a full disk ends the program by its own signal`() async throws {
        let crash = try await Crash("limit", "0")
        #expect(crash.result.end == .signalled(SIGSEGV))
        #expect(try crash.folder.names().isEmpty)
    }

    @Test func `a disk that fills up leaves a report to read`() async throws {
        let crash = try await Crash("limit", "2500")
        #expect(crash.result.end == .signalled(SIGSEGV))
        let report = try crash.report
        #expect(!report.isComplete && report.signal == SIGSEGV && !report.frames.isEmpty)
    }

    @Test func `a folder that was removed is made again`() async throws {
        let crash = try await Crash("removed")
        #expect(crash.result.end == .signalled(SIGSEGV))
        #expect(try crash.report.isComplete && crash.folder.mode(".") == 0o700)
    }

    @Test func `missing folders are made by a crash alone`() async throws {
        let folder = try TemporaryFolder()
        for (way, isMade) in [("well", false), ("null", true)] {
            let probe = try ChildProcess(
                ChildProcess.path(besideTests: "CrashProbeTestSupport"), [folder.file("state/crashes"), way],
                environment: .adding(["SWIFT_BACKTRACE": "enable=no"]))
            _ = await probe.finished()
            #expect(try folder.names() == (isMade ? ["state"] : []))
        }
        #expect(try folder.mode("state") == 0o700 && folder.mode("state/crashes") == 0o700)
        #expect(try CrashReportFolder(path: folder.file("state/crashes")).list().count == 1)
    }

    @Test func `a folder that cannot be made ends the program by its own signal`() async throws {
        let crash = try await Crash("replaced")
        #expect(crash.result.end == .signalled(SIGSEGV))
        #expect(FileManager.default.contents(atPath: crash.folder.path) == Data())
    }

    @Test func `a second installation is refused`() async throws {
        let crash = try await Crash("twice-installed")
        #expect(crash.result.output == "ready\nalready-installed\n")
        #expect(try crash.report.version == "1.2.3")
    }

    @Test func `a folder that cannot be made is refused`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a file", to: "file")
        let probe = try ChildProcess(
            ChildProcess.path(besideTests: "CrashProbeTestSupport"), [file + "/crashes", "null"])
        let result = await probe.finished()
        #expect(result.output == "folder-unusable\n" && result.end == .exited(3))
    }

    @Test(arguments: [("null", SIGSEGV), ("\(SIGABRT)", SIGABRT), ("\(SIGSEGV)", SIGSEGV), ("abort", SIGABRT)])
    func `the backtrace of Swift stays what it was`(way: String, signal: Int32) async throws {
        // The tool is part of the toolchain that runs the tests.
        let setting = "enable=yes,color=no,interactive=no,symbolicate=off,threads=crashed,output-to=stderr"
        let crash = try await Crash(way, environment: ["SWIFT_BACKTRACE": setting])
        #expect(crash.result.end == .signalled(signal))
        let report = try crash.report
        #expect(report.isComplete)
        let counter = String(report.frames[0].address, radix: 16)
        #expect(crash.result.errors.contains("Backtracing from 0x\(counter)"), "\(crash.result.errors)")
    }
}
