// SPDX-License-Identifier: MIT

import TerminalKit
import Testing

@Suite struct WaterfallTests {
    private static let rows = [
        Waterfall.Row("turn", from: 0, to: 100), Waterfall.Row("  first", from: 0, to: 25),
        Waterfall.Row("  instant", from: 100, to: 100),
    ]

    private func lines(_ rows: [Waterfall.Row] = rows, width: Int, hasUnicode: Bool = false) -> [String] {
        Waterfall(rows, glyphs: Glyphs(hasUnicode: hasUnicode)).lines(width: width)
    }

    @Test func `bars stand on one scale, with their lengths`() {
        #expect(
            lines(width: 29) == [
                "turn       ########  100.0 ms", "  first    ##         25.0 ms",
                "  instant         #    0.0 ms",
            ])
    }

    @Test func `without room for bars there are names and lengths, and then names are cut`() {
        #expect(lines(width: 28)[1] == "  first     25.0 ms")
        #expect(lines(width: 15)[2] == "  in.    0.0 ms")
    }

    @Test(arguments: [true, false]) func `no line is wider than the terminal`(_ hasUnicode: Bool) {
        let rows = Self.rows + [Waterfall.Row("    漢字漢字漢字", from: 3, to: 1e9), Waterfall.Row("", from: 5, to: 1)]
        for width in 20...200 {
            for line in lines(rows, width: width, hasUnicode: hasUnicode) {
                #expect(line.columns <= width, "\(width): \(line)")
            }
        }
        #expect(lines([], width: 40).isEmpty)
    }
}
