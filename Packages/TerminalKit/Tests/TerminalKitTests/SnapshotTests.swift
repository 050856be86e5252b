// SPDX-License-Identifier: MIT

import Localization
import TerminalKit
import TestKit
import Testing

/// Each component of the gallery in each theme, width and language.
@Suite struct SnapshotTests {
    private static let japanese = [
        "latency": "待ち時間", "stage of a turn": "やり取りの段階", "count": "回数", "answer": "回答",
        "from question to answer": "質問から回答まで", "a day": "1日あたり", "Mon": "月", "Sun": "日", "record": "録音",
        "next": "次へ", "play": "再生", "quit": "終了", "What is the capital of Texas?": "テキサス州の州都はどこですか?",
        "Heading": "見出し", "Words in": "単語:", "bold": "太字", "italic": "斜体", "struck": "取り消し", "a link": "リンク",
        "quoted": "引用", "item": "項目", "in one": "は1桁",
        "in two columns each, without a space between the words of a line that is too long":
            "はそれぞれ2桁で、長すぎる行の単語の間には空白がありません。「括弧」や、句読点は行頭に来ません。",
    ]

    private func languages() -> [(tag: String, translated: (String) -> String)] {
        let (accented, mirrored) = (Translator(.accentedEnglish), Translator(.mirroredEnglish))
        return [
            ("en", { $0 }), ("en-XA", { accented(table: $0) }), ("en-XB", { mirrored(table: $0) }),
            ("ja", { Self.japanese[$0] ?? "untranslated: \($0)" }),
        ]
    }

    @Test func `components look as they did`() throws {
        var sections: [String: [(title: String, lines: [String])]] = [:]
        for theme in Theme.Name.allCases {
            let look = Theme(theme, depth: .trueColor, glyphs: Glyphs(hasUnicode: true))
            for width in [40, 80, 120] {
                for (tag, translated) in languages() {
                    for sample in Gallery.samples(width: width, theme: look, translated: translated) {
                        // As the program writes them.
                        let lines = sample.lines.map { $0.drawable(withColors: look.hasColors) }
                        sections[sample.name, default: []].append(("\(width) \(tag) \(theme.rawValue)", lines))
                    }
                }
            }
        }
        #expect(sections.count == 11)
        let names = sections.map { ($0.key.lowercased().replacing(" ", with: "-"), SnapshotFolder.text($0.value)) }
        let found = try SnapshotFolder("Packages/TerminalKit/Tests/TerminalKitTests/Snapshots")
            .differences(from: Dictionary(uniqueKeysWithValues: names))
        #expect(found.isEmpty, "\(found)")
    }
}
