// SPDX-License-Identifier: MIT
import Foundation
import TestKit
import Testing

/// What the audio threads do while sound runs, is flushed and drained, and while its device overruns, runs dry and is
/// suspended: counted by a program that has its own malloc and its own locks. libasound's are not counted.
@Suite struct AudioThreadTests {
    private static let said = try? TestProgram.run(["threads"])
    /// A sanitizer's build has the sanitizer's malloc.
    private static var isPossible: Bool { said?.hasPrefix("impossible") != true }

    @Test(.enabled(if: isPossible, "a sanitizer leaves nothing to count"))
    func theAudioThreadsAllocateNothingAndTakeNoLock() throws {
        let said = try #require(Self.said)
        #expect(said.split(separator: "\n").first == "0 0 0", "allocations, locks, system calls; from:\n\(said)")
    }

    @Test(.enabled(if: isPossible, "a sanitizer leaves nothing to count"))
    func whatTheyWouldDoIsNoticed() throws {
        let counts = try TestProgram.run(["threads", "misbehave"]).split(separator: "\n").first ?? ""
        let numbers = counts.split(separator: " ").compactMap { Int($0) }
        try #require(numbers.count == 3, "\(counts)")
        #expect(numbers[0] > 100 && numbers[1] > 100 && numbers[2] == 0)
    }
}

/// The program that runs streams in a process of its own.
enum TestProgram {
    /// Runs it to its end; returns what it printed.
    static func run(_ arguments: [String]) throws -> String {
        let result = try ChildProcess(ChildProcess.path(besideTests: "AudioStreamTestSupport"), arguments).finish()
        #expect(result.end == .exited(0), "\(result.output)")
        return result.output
    }
}
