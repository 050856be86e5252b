// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The built program, run as a person would run it, with all its state in a folder of its own.
final class ParleyProcess {
    /// A finished run.
    struct Result {
        let code: Int32
        let output: String
        let errors: String

        /// Each line of the output as a JSON object.
        var events: [[String: Any]] {
            output.split(separator: "\n").compactMap {
                (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
            }
        }

        /// The first event of that name.
        func event(_ name: String) -> [String: Any]? { events.first { $0["event"] as? String == name } }
    }

    /// The program beside the test runner, which SwiftPM builds with it.
    static let executable: String = {
        let runner = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        return runner.deletingLastPathComponent().appending(path: "parley").path
    }()

    /// A folder that is removed with this object.
    let folder = FileManager.default.temporaryDirectory.appending(path: "parley e2e \(UUID())").path

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A path inside the folder.
    func path(_ name: String) -> String { folder + "/" + name }

    /// Runs the program to its end.
    func run(
        _ arguments: String..., input: String = "", environment: [String: String] = [:], through wrapper: [String] = []
    ) throws -> Result {
        let running = try start(arguments, environment: environment, through: wrapper)
        running.input.write(Data(input.utf8))
        try running.input.close()
        return running.result()
    }

    /// Starts the program; its input stays open.
    func start(
        _ arguments: [String], environment: [String: String] = [:], through wrapper: [String] = []
    ) throws -> Running {
        let words = wrapper + [Self.executable] + arguments
        return try Running(
            words: words,
            environment: [
                "PARLEY_HOME": path("home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder,
                "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
            ].merging(environment) { $1 })
    }

    /// A run under way.
    final class Running {
        let process = Process()
        let input: FileHandle
        private let output = Pipe()
        private let errors = Pipe()

        init(words: [String], environment: [String: String]) throws {
            let inputPipe = Pipe()
            input = inputPipe.fileHandleForWriting
            process.executableURL = URL(filePath: words[0].contains("/") ? words[0] : "/usr/bin/" + words[0])
            process.arguments = Array(words.dropFirst())
            process.environment = environment
            process.standardInput = inputPipe
            process.standardOutput = output
            process.standardError = errors
            try process.run()
        }

        /// The next bytes of the output; empty at its end.
        func nextOutput() -> String {
            String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        }

        /// Waits for the end.
        func result(earlier: String = "") -> Result {
            // Standard error is small here, so reading the two one after the other cannot fill a pipe.
            let text = earlier + String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            let problems = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return Result(code: process.terminationStatus, output: text, errors: problems)
        }
    }
}
