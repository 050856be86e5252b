// SPDX-License-Identifier: MIT

import CrashReports
import FoundationEssentials
import Glibc
import TestKit
import Testing

/// One run of the program that crashes.
struct Crash {
    let folder: TemporaryFolder
    let result: ChildProcess.Result

    init(
        _ way: String..., environment: [String: String] = [:], in folder: TemporaryFolder? = nil,
        program: String = ChildProcess.path(besideTests: "CrashProbeTestSupport")
    ) async throws {
        self.folder = try folder ?? TemporaryFolder()
        let probe = try ChildProcess(
            program, [self.folder.path] + way,
            // Swift's backtracer is slow, and prints to whatever the tests print to.
            environment: .adding(["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }), errors: .captured)
        result = await probe.finished()
    }

    var reports: CrashReportFolder { CrashReportFolder(path: folder.path) }

    /// The only report.
    var report: CrashReport {
        get throws {
            let ids = try reports.list()
            try #require(ids.count == 1)
            return try reports.report(ids[0])
        }
    }

    /// The functions on its stack, newest first.
    var functions: [String] {
        get throws { CrashSymboliser().frames(of: try report).map(\.description) }
    }

    /// The report's file as a text.
    var text: String {
        get throws {
            let name = try #require(try folder.names().first)
            return String(decoding: try folder.bytes(name), as: UTF8.self)
        }
    }
}
