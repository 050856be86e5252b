// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The times themselves are measured by hand (`Scripts/bench auth-timing`), since a machine under test is never quiet. What
/// must hold everywhere: the measure finds a difference of 5% between two made-up servers, and none where there is none.
@Suite(.timeLimit(.minutes(2))) struct TimingMeasureTests {
    @Test func theMeasureFindsAShiftOfFivePerCent() async throws {
        let script = URL(filePath: #filePath).appending(path: "../../../Scripts/bench.d/auth-timing").standardized.path
        let (status, output) = try await RawConnection.onThread {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["python3", script, "--self-test"]
            let pipe = Pipe()
            for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
                _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
            (process.standardOutput, process.standardError) = (pipe, pipe)
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: output, as: UTF8.self))
        }
        #expect(status == 0, "\(output)")
        #expect(output.contains("differ by 5%"), "\(output)")
    }
}
