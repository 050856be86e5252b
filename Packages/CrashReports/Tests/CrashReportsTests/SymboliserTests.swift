// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestKit
import Testing

@testable import CrashReports

@Suite(.timeLimit(.minutes(10)))
struct SymboliserTests {
    @Test(arguments: ["llvm-symbolizer", "addr2line"])
    func `each tool names the functions`(program: String) async throws {
        let tool = try #require(CrashSymboliser().tools.first { $0.program == program })
        let report = try await Crash("null").report
        let frames = CrashSymboliser(tools: [tool]).frames(of: report)
        #expect(frames[0].calls.map(\.function) == ["CrashProbeTestSupport.readsNothing() -> ()"])
        #expect(frames[0].description.hasPrefix("CrashProbeTestSupport+0x"))
    }

    @Test func `inlined calls stay with their address`() {
        let output = """
            0x1
            inner
            /src/a.c:3
            outer
            crtstuff.c:0
            0x2
            ??
            ??:0
            0x3
            outer
            /src/b.c:9

            """
        let calls = CrashSymboliser.calls(in: output)
        #expect(calls.map { $0.map(\.description) } == [["inner at a.c:3", "outer"], [], ["outer at b.c:9"]])
    }

    @Test func `an address stays an offset without a tool`() async throws {
        let report = try await Crash("null").report
        let missing = CrashSymboliser.Tool(program: "no-such-symboliser", arguments: [])
        let failing = CrashSymboliser.Tool(program: "false", arguments: [])
        let frames = CrashSymboliser(tools: [missing, failing]).frames(of: report)
        #expect(frames.count == report.frames.count && frames.allSatisfy { $0.calls.isEmpty })
        let module = try #require(report.module(of: report.frames[0].address))
        #expect(frames[0].module == "CrashProbeTestSupport")
        #expect(frames[0].offset == report.frames[0].address - module.bias)
    }

    @Test func `another build of the program is not asked`() async throws {
        var report = try await Crash("null").report
        report.modules = report.modules.map { module in
            let other = "00" + (module.buildID ?? "").dropFirst(2)
            return CrashReport.Module(range: module.range, bias: module.bias, buildID: other, path: module.path)
        }
        #expect(CrashSymboliser().frames(of: report).allSatisfy { $0.calls.isEmpty })
    }

    @Test(arguments: ["llvm-symbolizer", "addr2line"])
    func `a package of symbols names the functions of a program that is gone`(program: String) async throws {
        let tool = try #require(CrashSymboliser().tools.first { $0.program == program })
        var report = try await Crash("null").report
        let crashed = try #require(report.module(of: report.frames[0].address))
        let id = try #require(crashed.buildID)
        report.modules = report.modules.map { module in
            CrashReport.Module(
                range: module.range, bias: module.bias, buildID: module.buildID,
                path: module == crashed ? "/missing" : module.path)
        }
        let folder = try TemporaryFolder()
        let symboliser = CrashSymboliser(tools: [tool], symbolFolder: folder.path)
        #expect(symboliser.frames(of: report)[0].calls.isEmpty)
        let place = folder.file(".build-id/\(id.prefix(2))")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: crashed.path, toPath: "\(place)/\(id.dropFirst(2)).debug")
        let calls = symboliser.frames(of: report)[0].calls
        #expect(calls.map(\.function) == ["CrashProbeTestSupport.readsNothing() -> ()"])
    }

    @Test func `names of Swift are demangled and others stay`() {
        #expect(CrashSymboliser.demangled("$sSa6appendyyxnF") == "Swift.Array.append(__owned A) -> ()")
        #expect(CrashSymboliser.demangled("main") == "main")
    }

    @Test func `an address outside all modules keeps its value`() throws {
        let report = try CrashReport(bytes: ReportTests.sample.utf8)
        let frames = CrashSymboliser().frames(of: report)
        #expect(frames.map(\.description) == ["a program+0x10", "0x5000", "? a program+0x20"])
    }
}
