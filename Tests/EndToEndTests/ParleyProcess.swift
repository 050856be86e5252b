// SPDX-License-Identifier: MIT

import Foundation
import TestKit

/// The built program, run as a person would run it, with all its state in a folder of its own.
final class ParleyProcess: Sendable {
    typealias Result = ChildProcess.Result

    /// The program beside the test runner, which SwiftPM builds with it.
    static let executable = ChildProcess.path(besideTests: "parley")

    /// Builds the catalogues beside the program, once for all tests.
    static func buildCatalogues() async throws { try await catalogues.value }

    private static let catalogues = Task {
        let folder = URL(filePath: executable).deletingLastPathComponent()
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let build = try start(
            [root.appending(path: "Scripts/l10n").path, "build", folder.appending(path: "locale").path],
            environment: ["PATH": "/usr/bin:/bin"])
        let result = await build.finished()
        guard result.code == 0 else { throw CataloguesNotBuilt(result: result) }
    }

    private struct CataloguesNotBuilt: Error { let result: Result }

    /// A folder that is removed with this object; its path has spaces.
    let folder: String
    private let parent: TemporaryFolder

    init() throws {
        // A peer that ends early must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        parent = try TemporaryFolder()
        folder = parent.file("parley e2e")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// A path inside the folder.
    func path(_ name: String) -> String { folder + "/" + name }

    /// The names of the files below a folder inside, at any depth, without the folders.
    func files(below name: String) throws -> [String] {
        let root = path(name)
        return try FileManager.default.subpathsOfDirectory(atPath: root).filter { name in
            (try? FileManager.default.attributesOfItem(atPath: root + "/" + name))?[.type] as? FileAttributeType
                != .typeDirectory
        }.sorted()
    }

    /// Runs the program to its end.
    func run(
        _ arguments: String..., input: String = "", environment: [String: String] = [:], through wrapper: [String] = []
    ) async throws -> Result {
        let running = try start(arguments, environment: environment, through: wrapper)
        running.write(input)
        return await running.finished()
    }

    /// Starts the program; its input stays open.
    ///
    /// - Parameter mergesErrors: True to write standard error into the output, in the order of writing.
    func start(
        _ arguments: [String], environment: [String: String] = [:], through wrapper: [String] = [],
        mergesErrors: Bool = false
    ) throws -> ChildProcess {
        try Self.start(
            wrapper + [Self.executable] + arguments, environment: self.environment.merging(environment) { $1 },
            errors: mergesErrors ? .output : .captured)
    }

    /// Starts any program with that environment alone; its input stays open.
    static func start(
        _ words: [String], environment: [String: String], folder: String? = nil, errors: ChildProcess.Sink = .captured
    ) throws -> ChildProcess {
        try ChildProcess(
            words[0], Array(words.dropFirst()), environment: .only(environment), folder: folder, input: .pipe,
            errors: errors)
    }

    /// What the program finds in its environment.
    var environment: [String: String] {
        [
            "PARLEY_HOME": path("home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder,
            // Without summer time, each day has 24 hours.
            "TZ": "UTC0",
            // Otherwise libpulse leaves a folder in /tmp for each home.
            "PULSE_RUNTIME_PATH": parent.file("pulse"),
            "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
        ]
    }
}

extension ChildProcess {
    /// Interrupts the program (Ctrl-C) as soon as its output contains `marker`, then waits for the end. All of it happens on
    /// one thread, so that a busy test runner cannot be late.
    func interrupted(at marker: String) async -> Result {
        await detached { child in
            child.closeInput()
            _ = child.text(until: marker)
            child.kill(SIGINT)
            return child.finish()
        }
    }
}

extension ChildProcess.Result {
    /// Each line of the output as a JSON object.
    var events: [[String: Any]] {
        output.split(separator: "\n").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
    }

    /// The first event of that name.
    func event(_ name: String) -> [String: Any]? { events.first { $0["event"] as? String == name } }
}
