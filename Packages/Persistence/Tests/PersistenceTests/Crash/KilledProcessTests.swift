// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@Suite struct KilledProcessTests {
    /// Scripts/soak persistence runs a thousand.
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func thirtyKilledProcessesLoseNothingAndLeaveNothingHalfDone(isSealed: Bool) throws {
        let folder = try TemporaryFolder()
        let seed = UInt64.random(in: 0..<1_000_000_000)
        let simulator = Process()
        // Beside the tests, where the build puts it.
        simulator.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("PersistenceCrashTestSupport")
        simulator.arguments = ["soak", folder.path, "30", "\(seed)"]
        simulator.environment = ProcessInfo.processInfo.environment.merging(
            isSealed ? ["PARLEY_SOAK_SEALED": "1"] : [:]
        ) { $1 }
        let output = Pipe.uninherited()
        simulator.standardOutput = output
        simulator.standardError = output
        try simulator.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        simulator.waitUntilExit()
        #expect(simulator.terminationStatus == 0, "seed \(seed): \(said)")
        #expect(said.hasPrefix("crash: 30 rounds"), "seed \(seed): \(said)")
    }
}
