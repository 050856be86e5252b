// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import CrashReports

@Suite(.timeLimit(.minutes(5))) struct ProgramImageTests {
    @Test func `the build id is the one of the notes`() async throws {
        let program = ChildProcess.path(besideTests: "CrashProbeTestSupport")
        let found = try #require(ProgramImage.buildID(of: program))
        let notes = await (try ChildProcess("/usr/bin/readelf", ["-n", program], errors: .captured)).finished()
        #expect(found.count >= 16 && notes.output.contains("Build ID: \(found)\n"), "\(found)\n\(notes.output)")
    }

    @Test(arguments: [0, 5, 63, 64, 200])
    func `a file that ends early has none`(_ length: Int) throws {
        let folder = try TemporaryFolder()
        #expect(ProgramImage.buildID(of: folder.file("missing")) == nil)
        let program = try FileHandle(
            forReadingFrom: URL(filePath: ChildProcess.path(besideTests: "CrashProbeTestSupport")))
        try folder.write(program.read(upToCount: length) ?? Data(), to: "cut")
        #expect(ProgramImage.buildID(of: folder.file("cut")) == nil)
    }

    /// GNU ld makes such a segment for .bss alone. Here it takes the place of a header that is not needed to run.
    @Test func `a segment without bytes in the file is not where the program begins`() async throws {
        let folder = try TemporaryFolder()
        let program = folder.file("program")
        try FileManager.default.copyItem(
            atPath: ChildProcess.path(besideTests: "CrashProbeTestSupport"), toPath: program)
        var bytes = try Data(contentsOf: URL(filePath: program))
        let headers = (0..<Int(bytes[56])).map { 64 + 56 * $0 }
        // PT_GNU_RELRO or PT_GNU_PROPERTY
        let types: [[UInt8]] = [[0x52, 0xE5, 0x74, 0x64], [0x53, 0xE5, 0x74, 0x64]]
        let header = try #require(headers.first { types.contains(Array(bytes[$0..<$0 + 4])) })
        // PT_LOAD that can be read and written; offset, two addresses, bytes in the file and in memory, alignment
        let fields: [UInt64] = [6 << 32 | 1, 0, 0x80_0000, 0x80_0000, 0, 0x1000, 0x1000]
        let patch = fields.flatMap { field in withUnsafeBytes(of: field.littleEndian) { Array($0) } }
        bytes.replaceSubrange(header..<header + patch.count, with: patch)
        try bytes.write(to: URL(filePath: program))
        let crash = try await Crash("null", program: program)
        let functions = try crash.functions
        #expect(functions.first?.contains("readsNothing()") == true, "\(functions)")
    }
}
