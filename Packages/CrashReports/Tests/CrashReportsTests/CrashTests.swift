// SPDX-License-Identifier: MIT

import CrashReports
import FoundationEssentials
import Glibc
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CrashTests {
    @Test(arguments: [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS])
    func `each signal is reported and still ends the program`(signal: Int32) async throws {
        let crash = try await Crash("\(signal)")
        #expect(crash.result.end == .signalled(signal))
        let report = try crash.report
        #expect(report.signal == signal && report.address == nil && report.isComplete)
    }

    @Test(arguments: [
        ("null", SIGSEGV, "readsNothing()"), ("bus", SIGBUS, "readsBehindTheEndOfAFile"),
        ("index", trap, "readsBehindTheEndOfAnArray"), ("fatal", trap, "static CrashProbe"),
        ("abort", SIGABRT, "aborts"), ("jump", SIGSEGV, "jumpsToNothing"), ("async", SIGSEGV, "crashesNow"),
    ])
    func `the function that crashed is named`(way: String, signal: Int32, function: String) async throws {
        let crash = try await Crash(way)
        #expect(crash.result.end == .signalled(signal))
        #expect(try crash.report.signal == signal)
        let functions = try crash.functions
        #expect(functions.contains { $0.contains(function) }, "\(functions)")
    }

    /// The signal of Swift's traps.
    #if arch(x86_64)
        private static let trap = SIGILL
    #else
        private static let trap = SIGTRAP
    #endif

    @Test func `a report has what a person needs to find the fault`() async throws {
        let crash = try await Crash("null")
        let report = try crash.report
        #expect(report.version == "1.2.3" && report.program == "CrashProbeTestSupport")
        #expect(report.signalName == "SIGSEGV" && report.address == 8 && report.code == 1)
        #expect(report.process > 1 && report.thread == report.process)
        #expect(report.registers.count >= 17 && report.registers.contains { $0.value == report.frames[0].address })
        #expect(report.log.count == 1 && report.log[0].hasSuffix("probe crashes by null, said <private>"))
        let program = try #require(report.module(of: report.frames[0].address))
        #expect(program.path.hasSuffix("/CrashProbeTestSupport") && program.buildID?.isEmpty == false)
        #expect(report.frames.filter { $0.kind == .chain }.count >= 2)
        #expect(abs(report.time - Int64(Date.now.timeIntervalSince1970)) < 600)
    }

    @Test func `a stack overflow on the main thread is reported`() async throws {
        let crash = try await Crash("deep")
        #expect(crash.result.end == .signalled(SIGSEGV))
        #expect(try crash.report.frames.count > 100)
        #expect(try crash.functions.contains { $0.contains("descends") })
    }

    @Test func `a stack overflow on a protected thread is reported`() async throws {
        let crash = try await Crash("deep-protected")
        #expect(crash.result.end == .signalled(SIGSEGV))
        #expect(try crash.report.threadName == "deep")
        #expect(try crash.functions.contains { $0.contains("descends") })
    }

    @Test func `a stack overflow on another thread ends without report`() async throws {
        let crash = try await Crash("deep-unprotected")
        #expect(crash.result.end == .signalled(SIGSEGV))
        #expect(try crash.folder.names().isEmpty)
    }

    @Test func `a real-time thread is reported`() async throws {
        let crash = try await Crash("real-time")
        // If the system refuses SCHED_FIFO, the thread crashes with the usual priority.
        #expect(["ready\nfifo\n", "ready\nrefused\n"].contains(crash.result.output))
        #expect(crash.result.end == .signalled(SIGSEGV))
        #expect(try crash.report.threadName == "audio" && crash.report.isComplete)
        #expect(try crash.functions.contains { $0.contains("crashesInRealTime") })
    }

    @Test(arguments: 0..<10)
    func `of two crashes at once one is reported whole`(round: Int) async throws {
        let crash = try await Crash("two")
        #expect(crash.result.end == .signalled(SIGSEGV))
        #expect(try crash.report.threadName == "twin" && crash.report.isComplete)
    }

    @Test func `a crash of the handler ends the program at once`() async throws {
        let crash = try await Crash("nested")
        #expect(crash.result.end == .signalled(SIGSEGV))
        let report = try crash.report
        #expect(!report.isComplete && report.signal == SIGSEGV && report.log.isEmpty)
        #expect(try crash.functions.contains { $0.contains("readsNothing") })
    }

    @Test func `a library that was loaded late is in the report`() async throws {
        let crash = try await Crash("library")
        #expect(crash.result.output == "ready\nloaded\n")
        #expect(try crash.report.modules.contains { $0.path.contains("libBrokenLocale") && $0.buildID != nil })
    }

    @Test func `a program without free descriptors is reported`() async throws {
        let crash = try await Crash("descriptors")
        #expect(crash.result.end == .signalled(SIGSEGV))
        #expect(try crash.report.isComplete && !crash.report.modules.isEmpty)
    }

    @Test(arguments: 0..<5)
    func `no line is torn that other threads log meanwhile`(round: Int) async throws {
        let crash = try await Crash("chatter")
        #expect(crash.result.end == .signalled(SIGSEGV))
        let messages = try crash.report.log.compactMap { $0.split(separator: " ").last }
        #expect(messages.count > 50 && messages.allSatisfy { $0.count == 300 && Set($0).count == 1 })
    }

    @Test func `the last hundred log lines are in order`() async throws {
        let log = try await Crash("logs").report.log
        #expect(log.map { $0.split(separator: " ").last } == (150..<250).map { Substring("\($0)") })
    }
}
