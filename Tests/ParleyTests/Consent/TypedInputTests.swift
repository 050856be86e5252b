// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import parley

@Suite("What is typed before and after a question", .timeLimit(.minutes(5)))
struct TypedInputTests {
    private let terminal: PseudoTerminal

    init() throws { terminal = try PseudoTerminal() }

    private func type(_ text: String) { terminal.type(text) }

    @Test func `lines typed before a question do not answer it`() async throws {
        let input = TypedInput(descriptor: terminal.descriptor)
        defer { input.close() }
        // With and without Enter, read already or not.
        type("yes\nalways\nye")
        let answer = try await ConsentPrompter.line(from: input) { type("no\n") }
        #expect(answer == "no")
        type("yes\ny")
        #expect(try await ConsentPrompter.line(from: input) { type("s\n") } == "s")
    }

    @Test func `a cancelled question leaves later lines to others`() async throws {
        let input = TypedInput(descriptor: terminal.descriptor)
        let (shown, show) = AsyncStream.makeStream(of: Void.self)
        let asking = Task { try await ConsentPrompter.line(from: input) { show.yield() } }
        for await _ in shown { break }
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        input.close()
        type("for others\n")
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(terminal.descriptor, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "for others\n")
    }

    @Test func `random keys before a question never answer it`() async throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let keys = ["yes", "\n", "always", "y", "\u{15}", "no", " ", "\u{7F}", "\u{1B}[A"]
        for round in 0..<100 {
            let input = TypedInput(descriptor: terminal.descriptor)
            defer { input.close() }
            for _ in 0..<Int.random(in: 0...20, using: &random) { type(keys.randomElement(using: &random) ?? "") }
            let answer = try await ConsentPrompter.line(from: input) { type("round \(round)\n") }
            #expect(answer == "round \(round)", "seed \(seed)")
        }
    }
}
