// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// The times themselves are measured by hand (`Scripts/bench auth-timing`), since a machine under test is never quiet. What
/// must hold everywhere: the measure finds a difference of 5% between two made-up servers, and none where there is none.
@Suite(.timeLimit(.minutes(5))) struct TimingMeasureTests {
    @Test func theMeasureFindsAShiftOfFivePerCent() async throws {
        let script = URL(filePath: #filePath).appending(path: "../../../Scripts/bench.d/auth-timing").standardized.path
        let result = try await ChildProcess("python3", [script, "--self-test"], errors: .output).finished()
        #expect(result.code == 0 && result.output.contains("differ by 5%"), "\(result.output)")
    }
}
