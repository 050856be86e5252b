// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// One of this bundle's own tests in a process of its own, which can be measured alone, and killed.
final class TestChild: Sendable {
    private let process: Process
    private let output: LineReader

    /// Whether this bundle runs under a sanitizer, which keeps freed memory, and shadows of it.
    static let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

    /// Starts the tests whose name matches.
    ///
    /// - Parameters:
    ///   - filter: The test's name.
    ///   - environment: What the test finds in its environment besides this process's.
    init(_ filter: String, environment: [String: String]) throws {
        let command = try Self.command(filter)
        process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe.uninherited()
        process.standardOutput = pipe
        process.standardError = FileHandle.standardError
        process.standardInput = FileHandle.nullDevice
        output = LineReader(pipe.fileHandleForReading)
        try process.run()
    }

    deinit {
        kill()
    }

    /// The program and its arguments that run the tests of this bundle whose name matches.
    static func command(_ filter: String) throws -> [String] {
        let own = CommandLine.arguments
        // The bundle is a library that a helper loads, or the program itself.
        let bundle = own.firstIndex(of: "--test-bundle-path").map { Array(own[$0..<min($0 + 2, own.count)]) } ?? []
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return [program] + bundle + bundle.suffix(1) + ["--testing-library", "swift-testing", "--filter", filter]
    }

    /// What follows `word` in the next line that begins with it, or `nil` at the end of the output.
    func next(_ word: String) async -> String? {
        while let line = await output.next() {
            if line.hasPrefix(word + " ") { return String(line.dropFirst(word.count + 1)) }
        }
        return nil
    }

    /// Ends it as `kill -9` does.
    func kill() {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits for its end.
    ///
    /// - Returns: Its exit status.
    func end() async -> Int32 {
        while await output.next() != nil {}
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [process] in
                process.waitUntilExit()
                continuation.resume(returning: process.terminationStatus)
            }
        }
    }
}

/// Lines of a pipe, read on a queue of its own because reading blocks.
final class LineReader: Sendable {
    private let handle: FileHandle
    private let queue = DispatchQueue(label: "networking-tests.lines")

    init(_ handle: FileHandle) {
        self.handle = handle
    }

    /// The next line without its end, or `nil` after the last.
    func next() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { [handle] in
                var line: [UInt8] = []
                while let byte = try? handle.read(upToCount: 1)?.first {
                    line.append(byte)
                    if byte == 10 { break }
                }
                let text = String(decoding: line, as: UTF8.self)
                continuation.resume(returning: line.isEmpty ? nil : text.trimmingCharacters(in: .newlines))
            }
        }
    }
}
