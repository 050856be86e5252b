// SPDX-License-Identifier: MIT
import Foundation
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
        let child = Process()
        // Beside the tests, where the build puts it.
        child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("AudioStreamTestSupport")
        child.arguments = arguments
        let output = Pipe()
        // Children of other tests must not hold this pipe open.
        _ = fcntl(output.fileHandleForReading.fileDescriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(output.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        child.standardOutput = output
        try child.run()
        try? output.fileHandleForWriting.close()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        child.waitUntilExit()
        let text = String(decoding: said, as: UTF8.self)
        #expect(child.terminationReason == .exit && child.terminationStatus == 0, "\(text)")
        return text
    }
}
