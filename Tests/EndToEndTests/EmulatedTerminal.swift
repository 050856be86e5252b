// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import TestKit

/// A program at a terminal of a size, whose screen pyte draws: what a person sees, not what was written.
final class EmulatedTerminal: Sendable {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
    private static let python = root + "/.venv-peers/bin/python"
    static let hasPeers = FileManager.default.isExecutableFile(atPath: python)

    let run: TerminalRun
    private let sizes: Guarded<[(after: Int, columns: Int, rows: Int)]>

    init(_ words: [String], environment: [String: String], columns: Int, rows: Int) throws {
        run = try TerminalRun(
            [ParleyProcess.executable] + words,
            environment: environment.merging(["TERM": "xterm-256color"]) { $1 }, size: (columns, rows))
        sizes = Guarded([(0, columns, rows)])
    }

    /// Types, and waits until a text was written after what was waited for last.
    func type(_ text: String, until shown: String) async throws {
        try run.type(text)
        try await run.shows(shown)
    }

    /// Changes the size of the terminal; what was written before is drawn in the old one.
    func resize(columns: Int, rows: Int) {
        sizes.withLock { $0.append((run.bytes.count, columns, rows)) }
        run.resize(columns: columns, rows: rows)
    }

    /// The rows of the screen, and `@` with the row and column of the cursor, both from 1.
    func screen() async throws -> [String] {
        let (bytes, sizes) = (run.bytes, sizes.withLock { $0 })
        var events: [Any] = []
        for (index, size) in sizes.enumerated() {
            events.append([size.columns, size.rows])
            let end = index + 1 < sizes.count ? sizes[index + 1].after : bytes.count
            events.append(bytes[size.after..<end].base64EncodedString())
        }
        let judge = try ParleyProcess.start(
            [Self.python, Self.root + "/Tests/EndToEndTests/Fixtures/screen.py"], environment: ["LANG": "C.UTF-8"])
        judge.write(String(decoding: try JSONSerialization.data(withJSONObject: events), as: UTF8.self))
        let result = await judge.finished()
        guard result.code == 0 else { throw TerminalRun.Ended(without: "a screen", after: result.errors) }
        return result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
