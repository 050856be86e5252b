// SPDX-License-Identifier: MIT

import TestKit
import Testing

@Suite struct KilledProcessTests {
    /// Scripts/soak persistence runs a thousand.
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func thirtyKilledProcessesLoseNothingAndLeaveNothingHalfDone(isSealed: Bool) throws {
        let folder = try TemporaryFolder()
        let seed = UInt64.random(in: 0..<1_000_000_000)
        let result = try ChildProcess(
            ChildProcess.path(besideTests: "PersistenceCrashTestSupport"), ["soak", folder.path, "30", "\(seed)"],
            environment: .adding(isSealed ? ["PARLEY_SOAK_SEALED": "1"] : [:]), errors: .output
        ).finish()
        #expect(result.code == 0 && result.output.hasPrefix("crash: 30 rounds"), "seed \(seed): \(result.output)")
    }
}
