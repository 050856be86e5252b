// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import Security
import TestKit

/// The program of SecurityProbeTestSupport, run as a process of its own.
enum ProbeProcess {
    /// The program beside the test runner, which SwiftPM builds with it.
    static let path = ChildProcess.path(besideTests: "SecurityProbeTestSupport")

    /// Runs a shell script, in which `$PROBE` is the program, to its end, and gives the lines of its output.
    static func lines(_ script: String, home: String, environment: [String: String] = [:]) async throws -> [String] {
        try await BlockingCall.run {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/timeout")
            process.arguments = ["--signal=KILL", "120", "sh", "-c", script]
            process.environment =
                ["PATH": "/usr/bin:/bin", "HOME": home, "PROBE": path, "LANG": "C.UTF-8"].merging(environment) { $1 }
            // A file, not a pipe: what outlives the script would keep a pipe open.
            let output = URL(filePath: "\(home)/output-\(UUID().uuidString)")
            try Data().write(to: output)
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            try startWithoutBlockedSignals(process)
            process.waitUntilExit()
            let text = try String(contentsOf: output, encoding: .utf8)
            try FileManager.default.removeItem(at: output)
            return text.split(separator: "\n").map(String.init)
        }
    }

    /// A queue's thread blocks signals, and a child inherits that: it could not be ended by SIGTERM.
    private static func startWithoutBlockedSignals(_ process: Process) throws {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try process.run()
    }

    /// Runs the program until it has printed `count` lines, kills it, and gives all lines that it printed.
    static func linesUntilKilled(_ arguments: [String], after count: Int) async throws -> [String] {
        try await BlockingCall.run {
            let child = try ChildProcess(path, arguments)
            var lines: [String] = []
            while lines.count < count, let line = child.line() { lines.append(line) }
            child.kill()
            return lines + child.lines()
        }
    }
}
