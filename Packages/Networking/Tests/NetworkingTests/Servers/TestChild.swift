// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestKit

/// One of this bundle's own tests in a process of its own, which can be measured alone, and killed.
final class TestChild: Sendable {
    private let process: ChildProcess

    /// Whether this bundle runs under a sanitizer, which keeps freed memory, and shadows of it.
    static let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

    /// Starts the tests whose name matches.
    ///
    /// - Parameters:
    ///   - filter: The test's name.
    ///   - environment: What the test finds in its environment besides this process's.
    init(_ filter: String, environment: [String: String]) throws {
        let command = try Self.command(filter)
        process = try ChildProcess(command[0], Array(command.dropFirst()), environment: .adding(environment))
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
        await process.detached { process in
            while let line = process.line() {
                if line.hasPrefix(word + " ") { return String(line.dropFirst(word.count + 1)) }
            }
            return nil
        }
    }

    /// Ends it as `kill -9` does.
    func kill() { process.kill() }

    /// Waits for its end.
    func end() async -> ChildProcess.End { await process.finished().end }
}
