// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// The log of all runs, and the command that shows it.
@Suite struct LogsTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    private func plant(_ lines: [String]) throws {
        let folder = parley.path("home/data/logs")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: folder + "/parley.log"))
    }

    private func line(_ level: String, _ message: String, at date: Date = .now) -> String {
        "{\"time\":\"\(date.formatted(.iso8601).dropLast()).000Z\",\"level\":\"\(level)\",\"category\":\"test\",\"message\":\"\(message)\"}"
    }

    @Test func `what failed in one run is shown by the next, without what was said`() async throws {
        try #require(try await parley.run("ask", "What is the capital of Texas?").code == 0)
        // A history that cannot be read costs a warning, and a line of the log.
        try Data("damaged".utf8).write(to: URL(filePath: parley.path("home/data/conversations.sqlite")))
        try #require(try await parley.run("ask", "What is the capital of Ohio?").code == 0)
        let shown = try await parley.run("logs")
        #expect(shown.code == 0 && shown.output.contains(" error "), "\(shown.output)\(shown.errors)")
        #expect(!shown.output.contains("capital"))
        let events = try await parley.run("logs", "--json", "--level", "error").events
        #expect(!events.isEmpty && events.allSatisfy { $0["level"] as? String == "error" })
    }

    @Test func `time and level choose the lines`() async throws {
        try plant([
            line("info", "old", at: .now.addingTimeInterval(-10_000)), line("info", "new"),
            line("warning", "grave\\u202e"), "damaged",
        ])
        let all = try await parley.run("logs")
        #expect(all.output.split(separator: "\n").count == 3 && all.errors.contains("1 line of the log is damaged"))
        #expect(!all.output.unicodeScalars.contains("\u{202E}"))
        #expect(try await parley.run("logs", "--since", "1h").output.split(separator: "\n").count == 2)
        #expect(try await parley.run("logs", "--since", "2023-01-31", "--level", "warning").output.contains("grave"))
        for wrong in ["0h", "1y", "h", "-1h", "1e9d", "tomorrow", ""] {
            #expect(try await parley.run("logs", "--since", wrong).code == 2, "\(wrong)")
        }
    }

    @Test func `the lines go into a new file that others can read as JSON`() async throws {
        try plant([line("info", "one"), line("error", "two")])
        let path = parley.path("lines.json")
        #expect(try await parley.run("logs", "--export", path).code == 0)
        let lines = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self).split(separator: "\n")
        let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        #expect(objects.map { $0?["message"] as? String } == ["one", "two"])
        let again = try await parley.run("logs", "--export", path)
        #expect(again.code != 0 && again.errors.contains("There is a file"), "\(again.errors)")
        #expect(try await parley.run("logs", "--export", path, "--follow").code == 2)
    }

    @Test func `a home without a log shows nothing and makes nothing`() async throws {
        let shown = try await parley.run("logs")
        #expect(shown.code == 0 && shown.output.isEmpty && shown.errors.contains("Nothing was logged."))
        #expect(!FileManager.default.fileExists(atPath: parley.path("home/data/logs")))
    }
}
