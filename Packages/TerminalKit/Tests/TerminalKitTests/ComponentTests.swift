// SPDX-License-Identifier: MIT

import Testing

@testable import TerminalKit

@Suite struct ComponentTests {
    private let unicode = Glyphs(hasUnicode: true)
    private let ascii = Glyphs(hasUnicode: false)

    @Test func `a table's columns stand below each other`() {
        let table = TextTable([["漢字", "1"], ["abcdefgh", "200"], ["x"]], right: [1])
        #expect(table.lines() == ["漢字        1", "abcdefgh  200", "x"])
        #expect(table.lines(width: 10, glyphs: unicode) == ["漢字     1", "abcd…  200", "x"])
        #expect(table.lines(width: 1, glyphs: ascii) == ["漢.    1", "ab.  200", "x"])
        #expect(TextTable([["a", "漢", "b"], ["", "x"]], gap: 2).lines() == ["a  漢  b", "   x"])
        #expect(TextTable([["abcdef", "abcdef"]], gap: 2).lines(width: 10, glyphs: unicode) == ["abc…  abc…"])
        #expect(TextTable([]).lines(width: 3).isEmpty)
    }

    @Test func `a bar shows its share`() {
        #expect(ProgressBar(0.5).line(width: 13, theme: .plain()) == "████░░░░  50%")
        #expect(ProgressBar(2).line(width: 13, theme: .plain(ascii)) == "######## 100%")
        #expect(ProgressBar(.nan).line(width: 1, theme: .plain()) == "0%")
    }

    @Test func `a level fills its bar`() {
        #expect(LevelBar.bar(-30, glyphs: unicode) == "█████░░░░░")
        #expect(LevelBar.bar(-90, width: 4, glyphs: ascii) == "....")
        var bar = LevelBar(width: 6, glyphs: ascii)
        #expect(bar.draw(rms: -40, peak: -20, clippedSamples: 2) == "##.|.. -40.0 dBFS, peak -20.0 CLIP")
        #expect(bar.clippedSamples == 2)
        var long = LevelBar(glyphs: ascii)
        #expect(long.draw(rms: -40, peak: -20, clippedSamples: 0, columns: 24) == "###.|... -40.0 dBFS")
        for columns in 17...80 {
            let drawn = long.draw(rms: -40, peak: -20, clippedSamples: 2, columns: columns)
            #expect(drawn.columns <= columns && drawn.contains("-40.0 dBFS"), "\(columns)")
        }
        for level in [Float.nan, .infinity, -.infinity] {
            #expect(bar.draw(rms: level, peak: level, clippedSamples: 0).columns >= 29, "nothing traps")
        }
    }

    @Test func `hints are never broken`() {
        let hints = KeyHints([("Enter", "record"), ("q", "quit")])
        #expect(hints.text == "Enter record   q quit")
        #expect(hints.lines(width: 21, theme: .plain()) == ["Enter record   q quit"])
        #expect(hints.lines(width: 20, theme: .plain()) == ["Enter record", "q quit"])
        #expect(hints.lines(width: 1, theme: .plain()).count == 2)
        #expect(hints.line(width: 21, glyphs: unicode) == "Enter record   q quit")
        #expect(hints.line(width: 20, glyphs: unicode) == "Enter record …")
        #expect(hints.line(width: 5, glyphs: ascii) == "Enter")
    }

    @Test func `a waveform has the height of its sound`() {
        let columns = [(lowest: 0.0, highest: 0.0), (-1.0, 1.0)]
        #expect(Waveform(columns, glyphs: unicode).lines(1) == ["⢺"])
        #expect(Waveform(columns, glyphs: ascii).lines(2) == [" #", " #"])
    }

    @Test(arguments: Theme.Name.allCases, [20, 40, 80, 120])
    func `no sample of the gallery is wider than asked`(_ name: Theme.Name, _ width: Int) {
        for depth in ColorDepth.allCases {
            for glyphs in [unicode, ascii] {
                let lines = Gallery.lines(width: width, theme: Theme(name, depth: depth, glyphs: glyphs))
                #expect(lines.count > 40)
                for line in lines {
                    #expect(WrappedText.columns(of: line) <= width, "\(line.debugDescription)")
                    #expect(line.drawable(withColors: depth != .none) == line)
                }
            }
        }
    }

    @Test func `looks add nothing to the words`() {
        let plain = Gallery.lines(width: 80, theme: .plain())
        for name in Theme.Name.allCases {
            let shown = Gallery.lines(width: 80, theme: Theme(name, depth: .trueColor, glyphs: unicode))
            #expect(
                shown.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain, "nothing is told by colour alone")
        }
    }

    @Test func `a terminal of one column traps nothing`() {
        #expect(!Gallery.lines(width: 1, theme: .plain()).isEmpty)
        #expect(!Gallery.lines(width: 0, theme: .plain(ascii)).isEmpty)
    }
}
