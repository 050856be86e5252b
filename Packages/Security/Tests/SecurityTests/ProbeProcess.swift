// SPDX-License-Identifier: MIT

import Foundation
import TestKit

/// The program of SecurityProbeTestSupport, run as a process of its own.
enum ProbeProcess {
    /// The program beside the test runner, which SwiftPM builds with it.
    static let path = ChildProcess.path(besideTests: "SecurityProbeTestSupport")

    /// Runs a shell script, in which `$PROBE` is the program, to its end, and gives the lines of its output.
    static func lines(_ script: String, home: String, environment: [String: String] = [:]) async throws -> [String] {
        // A file, not a pipe: what outlives the script would keep a pipe open.
        let output = "\(home)/output-\(UUID().uuidString)"
        let variables = ["PATH": "/usr/bin:/bin", "HOME": home, "PROBE": path, "LANG": "C.UTF-8"]
        let child = try ChildProcess(
            "timeout", ["--signal=KILL", "120", "sh", "-c", script],
            environment: .only(variables.merging(environment) { $1 }), output: .file(output), errors: .discarded)
        _ = await child.detached { $0.wait() }
        let text = try String(contentsOfFile: output, encoding: .utf8)
        try FileManager.default.removeItem(atPath: output)
        return text.split(separator: "\n").map(String.init)
    }

    /// Runs the program until it has printed `count` lines, kills it, and gives all lines that it printed.
    static func linesUntilKilled(_ arguments: [String], after count: Int) async throws -> [String] {
        try await ChildProcess(path, arguments).detached { child in
            var lines: [String] = []
            while lines.count < count, let line = child.line() { lines.append(line) }
            child.kill()
            return lines + child.lines()
        }
    }
}
