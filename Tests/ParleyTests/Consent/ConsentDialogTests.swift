// SPDX-License-Identifier: MIT

import Domain
import Echo
import TerminalKit
import TestKit
import Testing

@testable import parley

@Suite("The dialog of consent") struct ConsentDialogTests {
    private func request(_ arguments: String = #"{"a": 1}"#) -> ConsentRequest {
        ConsentRequest(
            call: ToolUse(id: "c", name: "add", arguments: arguments), server: "calc", target: "python3 calc.py",
            reason: nil)
    }

    private func long(_ lines: Int) -> ConsentRequest {
        request("{\"lines\": [\((0..<lines).map { "{\"n\": \($0)}" }.joined(separator: ", "))]}")
    }

    /// The first answer among lines that are typed one after another.
    private func answer(_ lines: [String], to request: ConsentRequest, rows: Int = 50) -> ConsentAnswer? {
        var dialog = ConsentDialog(request, columns: 80, rows: rows)
        _ = dialog.begin()
        for line in lines { if case .answer(let answer) = dialog.take(line) { return answer } }
        return nil
    }

    @Test func `only whole words answer`() {
        #expect(answer(["yes"], to: request()) == .yes)
        #expect(answer([" YES "], to: request()) == .yes)
        #expect(answer(["no"], to: request()) == .no)
        let others = [
            "y", "a", "n", "ye", "yess", "yes!", "yes yes", "and what about Texas?", "abort", "you", "j", "", "ʸes",
        ]
        #expect(answer(others, to: request()) == nil)
        #expect(answer(others + ["yes"], to: request()) == .yes)
    }

    @Test func `always is confirmed`() {
        #expect(answer(["always"], to: request()) == nil)
        #expect(answer(["always", "always"], to: request()) == .always)
        #expect(answer(["always", "yes"], to: request()) == .yes)
        #expect(answer(["always", "no"], to: request()) == .no)
        #expect(answer(["always", "", "always"], to: request()) == nil, "the confirmation comes right behind it")
    }

    @Test func `another text is asked about again and kept`() {
        var dialog = ConsentDialog(request(), columns: 80, rows: 50)
        let first = dialog.begin()
        #expect(first.prompt == ConsentDialog.question.english && first.prompt.contains("Enter"))
        guard case .turn(let again) = dialog.take("and the capital of Ohio?") else { Issue.record("no turn"); return }
        #expect(again.kept == "and the capital of Ohio?" && again.prompt == first.prompt)
        #expect(again.lines == ["\"and the capital of Ohio?\" is not an answer."])
        guard case .turn(let typo) = dialog.take("xy") else { Issue.record("no turn"); return }
        #expect(typo.kept == nil)
    }

    @Test func `no yes counts before all pages were shown`() {
        #expect(answer(["yes"], to: long(100), rows: 20) == nil)
        #expect(answer(["yes", "always", "always"], to: long(100), rows: 20) == nil)
        #expect(answer(["no"], to: long(100), rows: 20) == .no)
        #expect(answer(["all", "yes"], to: long(100), rows: 20) == .yes)
        var dialog = ConsentDialog(long(100), columns: 80, rows: 20)
        var shown = dialog.begin().lines
        var pages = 1
        while case .turn(let turn) = dialog.take(""), !turn.lines.isEmpty {
            #expect(turn.lines.count <= 18)
            shown += turn.lines
            pages += 1
        }
        let whole = ConsentDialogTests.lines(long(100))
        #expect(shown == whole && pages == (whole.count + 17) / 18)
        #expect(dialog.take("yes") == .answer(.yes))
    }

    private static func lines(_ request: ConsentRequest) -> [String] {
        var dialog = ConsentDialog(request, columns: 80, rows: 100_000)
        return dialog.begin().lines
    }

    @Test func `a long line is wrapped and not cut`() {
        let text = String(repeating: "x漢", count: 4_000)
        let lines = Self.lines(request("{\"text\": \"\(text)\"}"))
        #expect(lines.joined().contains(text))
        #expect(lines.allSatisfy { $0.columns <= 79 })
    }

    @Test func `random lines allow nothing without a whole word`() {
        let pieces = ["y", "ye", "yes", "always", "a", "all", "no", "", " ", "s", "yes ", "YES", "\u{200B}yes", "ｙes"]
        for _ in 0..<300 {
            let seed = UInt64.random(in: .min ... .max)
            var random = SeededGenerator(seed: seed)
            let request = long(Int.random(in: 0...60, using: &random))
            let whole = Self.lines(request)
            var dialog = ConsentDialog(request, columns: 80, rows: Int.random(in: 4...30, using: &random))
            var shown = dialog.begin().lines
            var before = ""
            lines: for _ in 0..<60 {
                let line = (0..<Int.random(in: 0...2, using: &random))
                    .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
                let word = line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
                    .lowercased()
                let outcome = dialog.take(line)
                switch outcome {
                case .turn(let turn): if ["", "all"].contains(word) { shown += turn.lines }
                case .answer(.no): #expect(word == "no", "seed \(seed)")
                case .answer(.yes): #expect(word == "yes" && shown.count >= whole.count, "seed \(seed)")
                case .answer(.always):
                    #expect(word == "always" && before == "always" && shown.count >= whole.count, "seed \(seed)")
                }
                // An answer ends the dialog.
                if case .answer = outcome { break lines }
                before = word
            }
        }
    }
}
