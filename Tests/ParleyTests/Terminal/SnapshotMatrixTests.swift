// SPDX-License-Identifier: MIT

import TerminalKit
import TestKit
import Testing

/// All golden texts: each line fits its width, nothing is cut where there was room, and each isolate is closed.
@Suite struct SnapshotMatrixTests {
    private static let folders = [
        "Packages/TerminalKit/Tests/TerminalKitTests/Snapshots", "Tests/ParleyTests/Snapshots",
        "Tests/EndToEndTests/Snapshots/commands", "Tests/EndToEndTests/Snapshots/screens",
    ]

    /// The findings in sections whose titles begin with their width: `80 en-XB dark`.
    private func findings(_ sections: [(title: String, lines: [String])]) -> [String] {
        // The ellipses and isolates of the text itself are in its widest form, too.
        let widest = Dictionary(sections.map { (kind($0.title), $0) }) { width($0.title) > width($1.title) ? $0 : $1 }
        return sections.flatMap { title, lines -> [String] in
            let (width, own) = (width(title), widest[kind(title)]?.lines ?? [])
            var found = lines.flatMap { line -> [String] in
                let columns = WrappedText.columns(of: line)
                // A word alone is never broken.
                let isWord = !line.drop { $0 == " " }.contains(" ")
                return (columns > width && !isWord ? ["\(columns) columns"] : [])
                    + (isBalanced(line) ? [] : ["an open isolate"])
            }
            // A sign that is two columns wide may leave one free, and so does the cursor.
            if cuts(lines) > cuts(own), (lines.map(WrappedText.columns).max() ?? 0) < width - 2 {
                found.append("cut where there was room")
            }
            if count("\u{2068}", lines) < count("\u{2068}", own) { found.append("an isolate is lost") }
            return found.map { "\(title): \($0)" }
        }
    }

    private func kind(_ title: String) -> Substring { title.drop { $0.isNumber } }

    private func width(_ title: String) -> Int { Int(title.prefix { $0.isNumber }) ?? 0 }

    /// The words that are cut; an ellipsis behind a space stands for whole hints, which may need more room than there was.
    private func cuts(_ lines: [String]) -> Int { lines.reduce(0) { $0 + $1.matches(of: /[^ ]…/).count } }

    private func count(_ sign: Unicode.Scalar, _ lines: [String]) -> Int {
        lines.reduce(0) { $0 + $1.unicodeScalars.count { $0 == sign } }
    }

    /// True if each isolate and each override ends on its line.
    private func isBalanced(_ line: String) -> Bool {
        var open: [Unicode.Scalar] = []
        for scalar in line.unicodeScalars {
            switch scalar.value {
            case 0x2066...0x2068: open.append("\u{2069}")
            case 0x202A, 0x202B, 0x202D, 0x202E: open.append("\u{202C}")
            case 0x2069, 0x202C: if open.popLast() != scalar { return false }
            default: break
            }
        }
        return open.isEmpty
    }

    @Test(arguments: folders) func `no line of a golden text is clipped`(_ folder: String) throws {
        let files = try SnapshotFolder(folder).files()
        #expect(files.count >= 5)
        for (name, text) in files {
            let sections = SnapshotFolder.sections(of: text)
            #expect(!sections.isEmpty && sections.allSatisfy { $0.title.first?.isNumber == true }, "\(name)")
            let found = findings(sections)
            #expect(found.isEmpty, "\(name): \(found.prefix(20))")
        }
    }

    @Test func `each finding is made`() {
        #expect(findings([("4 en", ["\u{1B}[1mab d\u{1B}[0m", "abcdef", "  漢字漢"])]).isEmpty)
        #expect(findings([("4 en", ["ab de"])]) == ["4 en: 5 columns"])
        #expect(findings([("4 en", ["漢 字"])]) == ["4 en: 5 columns"])
        #expect(findings([("9 en", ["\u{2068}a"])]) == ["9 en: an open isolate"])
        #expect(findings([("9 en", ["a\u{202C}"])]) == ["9 en: an open isolate"])
        #expect(findings([("9 en", ["a"]), ("20 en", ["\u{2068}a\u{2069}"])]) == ["9 en: an isolate is lost"])
        #expect(findings([("9 en", ["a…"]), ("20 en", ["abc"])]) == ["9 en: cut where there was room"])
        #expect(findings([("9 en", ["a …"]), ("20 en", ["a b"])]).isEmpty)
        #expect(findings([("9 en", ["abc defg…"]), ("20 en", ["abc defgh"]), ("20 ja", ["漢…"])]).isEmpty)
    }
}
