// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The process that records until it is killed, or fails.
final class RecordingProcess {
    private let process = Process()
    private let output = Pipe()
    private var said: [UInt8] = []

    init(_ arguments: [String]) throws {
        // Beside the tests, where the build puts it.
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("RecordingCrashTestSupport")
        process.arguments = arguments
        // Children of other tests must not hold this pipe open.
        _ = fcntl(output.fileHandleForReading.fileDescriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(output.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        process.standardOutput = output
        try process.run()
        try? output.fileHandleForWriting.close()
    }

    deinit {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits until it has said so many lines.
    func wait(forLines count: Int) throws {
        while said.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "it ended by itself: \(String(decoding: said.suffix(300), as: UTF8.self))")
            said += more
        }
    }

    /// Kills it, and gives all whole lines that it said.
    func killed() -> [String] {
        Foundation.kill(process.processIdentifier, SIGKILL)
        let lines = linesToTheEnd()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
        return lines
    }

    /// Waits until it ends, and gives all whole lines that it said.
    func linesToTheEnd() -> [String] {
        said += output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.dropLast().map(String.init)
    }
}
