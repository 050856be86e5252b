// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import CrashReports

struct ReportTests {
    static let sample = """
        crash-report 1
        version 1.2.3
        program parley
        time 1790000000
        process 17
        thread 18
        thread-name audio
        signal 11
        code -6
        address 0x8
        architecture x86_64
        register rip 0x1010
        register rax -
        frame counter 0x1010
        frame chain 0x5000
        frame found 0x1020
        module 0x1000 0x2000 0x1000 00ff /usr/bin/a program
        log one
        end

        """

    @Test func `a report is read`() throws {
        let report = try CrashReport(bytes: Self.sample.utf8)
        #expect(report.version == "1.2.3" && report.program == "parley" && report.time == 1_790_000_000)
        #expect(report.process == 17 && report.thread == 18 && report.threadName == "audio")
        #expect(report.signal == 11 && report.code == -6 && report.address == 8 && report.architecture == "x86_64")
        #expect(report.registers.map(\.value) == [0x1010, nil])
        #expect(report.frames.map(\.kind) == [.counter, .chain, .found])
        #expect(report.modules.map(\.path) == ["/usr/bin/a program"] && report.modules[0].buildID == "00ff")
        #expect(report.log == ["one"] && report.isComplete)
    }

    @Test func `the text of a report has all of it`() throws {
        let report = try CrashReport(bytes: Self.sample.utf8)
        #expect(
            report.text(CrashSymboliser(tools: []).frames(of: report)) == """
                SIGSEGV at 0x8, parley 1.2.3
                2026-09-21T14:13:20Z, x86_64, process 17, thread 18 (audio)

                Stack of the thread
                  a program+0x10
                  0x5000
                  ? a program+0x20

                Registers
                  rip 0x1010
                  rax -

                Loaded
                  0x1000 /usr/bin/a program 00ff

                Log
                  one

                """)
    }

    @Test func `every beginning of a report is read`() throws {
        let bytes = Array(Self.sample.utf8)
        let first = "crash-report 1\n".utf8.count
        for count in 0..<bytes.count {
            let report = try? CrashReport(bytes: bytes[..<count])
            #expect((report != nil) == (count >= first - 1), "\(count)")
            #expect(report?.isComplete != true, "\(count)")
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `bad bytes never trap`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var bytes = Array(Self.sample.utf8)
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let place = Int.random(in: 15..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = .random(in: 0 ... .max, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(contentsOf: bytes[15..<place], at: place)
                }
            }
            let report = try CrashReport(bytes: bytes)
            // Whatever the numbers are, they are computed with.
            #expect(CrashSymboliser(tools: []).frames(of: report).count == report.frames.count, "seed \(seed)")
        }
    }

    @Test func `another file is refused`() {
        for text in ["", "crash-report 2\nend\n", "PK\u{3}\u{4}", "crash-report 1 \n"] {
            #expect { try CrashReport(bytes: text.utf8) } throws: { ($0 as? CrashReportError)?.code == .notAReport }
        }
    }

    @Test func `a report cannot move the cursor`() throws {
        let report = try CrashReport(bytes: "crash-report 1\nlog \u{1B}[2J\u{202E}\u{7F}x\nend\n".utf8)
        #expect(report.log == ["\u{FFFD}[2J\u{FFFD}\u{FFFD}x"])
    }

    @Test func `a report of endless lines is bounded`() throws {
        let lines = String(repeating: "frame chain 0x1\n", count: 10_000)
        #expect(try CrashReport(bytes: ("crash-report 1\n" + lines).utf8).frames.count == 4_096)
    }
}

struct FolderTests {
    private let folder: TemporaryFolder
    private let reports: CrashReportFolder

    init() throws {
        folder = try TemporaryFolder()
        reports = CrashReportFolder(path: folder.path)
    }

    @Test func `reports are listed newest first and other files are not`() throws {
        for name in ["crash-100-7.new", "crash-200-7.report", "crash-150-9.new", "crash-1-2.txt", "crash--2.new", "x"] {
            try folder.write(ReportTests.sample, to: name)
        }
        #expect(try reports.list() == ["crash-200-7", "crash-150-9", "crash-100-7"])
        #expect(try reports.report("crash-100-7").version == "1.2.3")
    }

    @Test func `a new report is told of once`() throws {
        try folder.write(ReportTests.sample, to: "crash-100-7.new")
        #expect(try reports.takeNew() == ["crash-100-7"])
        #expect(try reports.takeNew() == [])
        #expect(try reports.report("crash-100-7").isComplete)
    }

    @Test func `a deleted report is gone`() throws {
        try folder.write(ReportTests.sample, to: "crash-100-7.report")
        try reports.delete("crash-100-7")
        #expect(try folder.names().isEmpty)
        #expect { try reports.delete("crash-100-7") } throws: { ($0 as? CrashReportError)?.code == .notFound }
    }

    @Test(arguments: ["../secret", "crash-1-2/../../secret", "", "crash-1-2.new"])
    func `an id is no path`(id: String) {
        #expect { try reports.report(id) } throws: { ($0 as? CrashReportError)?.code == .notFound }
    }

    @Test func `a missing folder has no reports`() throws {
        let missing = CrashReportFolder(path: folder.file("missing"))
        #expect(try missing.list().isEmpty && missing.takeNew().isEmpty)
    }

    @Test func `a link instead of a report is not followed`() throws {
        let other = try folder.write(ReportTests.sample, to: "other")
        symlink(other, folder.file("crash-1-2.new"))
        #expect { try reports.report("crash-1-2") } throws: { ($0 as? CrashReportError)?.code == .folderUnusable }
    }

    @Test func `ten reports are kept`() async throws {
        for number in 10..<30 { try folder.write(ReportTests.sample, to: "crash-\(number)-1.report") }
        _ = try await Crash("null", in: folder)
        let ids = try reports.list()
        #expect(ids.count == CrashReportFolder.mostReports)
        #expect(Array(ids.dropFirst()) == (21..<30).reversed().map { "crash-\($0)-1" })
    }
}
