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
}
