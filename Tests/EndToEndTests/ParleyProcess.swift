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
        // A program that ends before it has read its input must not end the tests.
        signal(SIGPIPE, SIG_IGN)
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
    ) async throws -> Result {
        let running = try start(arguments, environment: environment, through: wrapper)
        try? running.input.write(contentsOf: Data(input.utf8))
        return try await running.result()
    }

    /// Starts the program; its input stays open.
    func start(
        _ arguments: [String], environment: [String: String] = [:], through wrapper: [String] = [],
        mergesErrors: Bool = false
    ) throws -> Running {
        let words = wrapper + [Self.executable] + arguments
        return try Running(
            words: words, environment: self.environment.merging(environment) { $1 }, mergesErrors: mergesErrors)
    }

    /// What the program finds in its environment.
    var environment: [String: String] {
        [
            "PARLEY_HOME": path("home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder,
            "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
        ]
    }

    /// A run under way.
    final class Running {
        let process = Process()
        let input: FileHandle
        private let output = Pipe.uninherited()
        private let errors = Pipe.uninherited()

        /// - Parameter mergesErrors: whether standard error goes into the output, in the order of writing.
        init(
            words: [String], environment: [String: String], folder: String? = nil, mergesErrors: Bool = false
        ) throws {
            let inputPipe = Pipe.uninherited()
            input = inputPipe.fileHandleForWriting
            process.executableURL = URL(filePath: words[0].contains("/") ? words[0] : "/usr/bin/" + words[0])
            process.arguments = Array(words.dropFirst())
            process.environment = environment
            if let folder { process.currentDirectoryURL = URL(filePath: folder) }
            process.standardInput = inputPipe
            process.standardOutput = output
            process.standardError = mergesErrors ? output : errors
            // The threads of a test block signals, and a child inherits that; a shell starts programs without.
            var none = sigset_t()
            var before = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            try process.run()
            // Nobody else has it: whoever reads the errors finds their end.
            if mergesErrors { try errors.fileHandleForWriting.close() }
        }

        /// Interrupts the program (Ctrl-C) as soon as its output contains `marker`, then waits for the end. All of it
        /// happens on one thread, so that a busy test runner cannot be late.
        func interrupted(at marker: String) async throws -> Result {
            try input.close()
            return await killedWhenCancelled { continuation in
                Thread.detachNewThread { [process, output] in
                    var seen = Data()
                    var isInterrupted = false
                    while true {
                        if !isInterrupted, seen.range(of: Data(marker.utf8)) != nil {
                            process.interrupt()
                            isInterrupted = true
                        }
                        let more = output.fileHandleForReading.availableData
                        if more.isEmpty { break }
                        seen += more
                    }
                    let end = process.end()
                    continuation.resume(
                        returning: Result(
                            code: end.status, output: String(decoding: seen, as: UTF8.self),
                            errors: ""))
                }
            }
        }

        /// What the program writes until `marker` is in it, or until it ends. ``result()`` has what comes after.
        func output(until marker: String) async -> String {
            await killedWhenCancelled { continuation in
                Thread.detachNewThread { [output] in
                    var seen = Data()
                    while seen.range(of: Data(marker.utf8)) == nil {
                        let more = output.fileHandleForReading.availableData
                        if more.isEmpty { break }
                        seen += more
                    }
                    continuation.resume(returning: String(decoding: seen, as: UTF8.self))
                }
            }
        }

        /// Waits for something of the program's. At the time limit of a test the program is killed: what it said until then
        /// is what the test fails with, instead of hanging.
        private func killedWhenCancelled<Value>(_ body: (CheckedContinuation<Value, Never>) -> Void) async -> Value {
            await withTaskCancellationHandler {
                await withCheckedContinuation(body)
            } onCancel: { [process] in
                if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            }
        }

        /// Closes the input and waits for the end, on a thread of its own.
        func result() async throws -> Result {
            try input.close()
            return await killedWhenCancelled { continuation in
                Thread.detachNewThread { [process, output, errors] in
                    // Standard error is small here, so reading the two one after the other cannot fill a pipe.
                    let text = output.fileHandleForReading.readDataToEndOfFile()
                    let problems = errors.fileHandleForReading.readDataToEndOfFile()
                    let end = process.end()
                    continuation.resume(
                        returning: Result(
                            code: end.status, output: String(decoding: text, as: UTF8.self),
                            errors: String(decoding: problems, as: UTF8.self)))
                }
            }
        }
    }
}
