// SPDX-License-Identifier: MIT

import Domain
import Foundation
import TerminalKit
import Testing

@testable import StateKnowledge
@testable import parley

@Suite struct BrailleMapRendererTests {
    private func picture(_ ids: String...) throws -> MapPicture {
        MapPicture(marking: try ids.map { id in try #require(StateTable.rows.first { $0.id == id }) })
    }

    private let ascii = Glyphs(hasUnicode: false)

    private func withoutColours(_ text: String) -> String {
        text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    }

    @Test(arguments: [20, 30, 40, 57, 80, 100, 133, 160])
    func noLineIsWiderThanAsked(columns: Int) throws {
        for picture in [try picture("TX"), try picture("DC"), try picture("HI", "MA", "NC", "AK")] {
            for usesUnicode in [true, false] {
                let glyphs = Glyphs(hasUnicode: usesUnicode)
                let plain = BrailleMapRenderer(columns: columns, theme: .plain(glyphs)).render(picture)
                let lines = plain.split(separator: "\n", omittingEmptySubsequences: false)
                #expect(lines.allSatisfy { $0.count <= columns && $0.last != " " })
                #expect(lines.map(\.count).max() ?? 0 > columns - 6)
                #expect(usesUnicode || plain.utf8.allSatisfy { $0 == 10 || (32..<127).contains($0) })
                let coloured = BrailleMapRenderer(
                    columns: columns, theme: Theme(.auto, depth: .ansi256, glyphs: glyphs)
                ).render(picture)
                #expect(coloured != plain)
                #expect(withoutColours(coloured) == plain)
                for line in coloured.split(separator: "\n") where line.contains("\u{1B}") {
                    let codes = line.matches(of: /\u{1B}\[([0-9;]*)m/)
                    #expect(codes.last?.1 == "0", "a colour is left on at the end of a line")
                }
            }
        }
    }

    @Test func widthsOutOfRangeAreBroughtIn() {
        #expect(BrailleMapRenderer(columns: 7).columns == 20)
        #expect(BrailleMapRenderer(columns: 1000).columns == 160)
        #expect(BrailleMapRenderer().columns == 100)
    }

    /// The star is where the state is: its cell, or one beside it, has a point of the state.
    @Test(arguments: [40, 100])
    func theStarIsInTheState(columns: Int) throws {
        for state in StateTable.rows {
            let picture = MapPicture(of: state)
            let text = BrailleMapRenderer(columns: columns).render(picture)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let line = try #require(lines.firstIndex { $0.contains("★") })
            let column = Array(lines[line]).firstIndex(of: "★") ?? 0
            let rings = try #require(picture.shapes.first { $0.id == state.id }).rings
            let cell = 1 / Double(columns)
            // Hawaii's centre is between its islands.
            let reach = state.id == "HI" ? 2.0 : 0
            let xs = stride(from: Double(column) - reach, through: Double(column) + 1 + reach, by: 0.25).map {
                $0 * cell
            }
            let ys = stride(from: Double(line) - reach, through: Double(line) + 1 + reach, by: 0.25).map {
                $0 * cell * 2
            }
            let isThere = xs.contains { x in ys.contains { y in Geometry.isInside(MapPoint(x: x, y: y), rings) } }
            #expect(isThere, "\(state.id) in \(columns) columns: line \(line), column \(column)")
        }
    }

    @Test func severalStatesGetDigitsAndStayApart() throws {
        let text = BrailleMapRenderer(columns: 100).render(try picture("TX", "OK"))
        #expect(text.contains("\n  1 Texas (TX) · capital Austin · "))
        #expect(text.contains("\n  2 Oklahoma (OK) · capital Oklahoma City · "))
        #expect(!text.contains("★"))
        // Two full cells of two marked states never touch along the whole of their border.
        let alone = BrailleMapRenderer(columns: 100).render(try picture("TX"))
        #expect(text.count { $0 == "⣿" } < 2 * alone.count { $0 == "⣿" })
    }

    @Test func longNamesAreCutOnNarrowMaps() {
        let state = StateInformationFixture.make(name: String(repeating: "Very ", count: 20), capital: "Zürich")
        let text = BrailleMapRenderer(columns: 40).render(MapPicture(of: state))
        #expect(text.contains("…\n    capital Zürich · "))
        let plain = BrailleMapRenderer(columns: 40, theme: .plain(ascii)).render(MapPicture(of: state))
        #expect(plain.contains(".\n    capital Z?rich, "))
    }

    @Test func smallPicturesLookLikeThis() throws {
        #expect(BrailleMapRenderer(columns: 40).render(try picture("CO")) == Self.colorado + "\n")
        #expect(BrailleMapRenderer(columns: 50, theme: .plain(ascii)).render(try picture("GA")) == Self.georgia + "\n")
    }

    private static let colorado = """
          ⡖⣾⠒⠒⠢⣤⣀⣀⣀                          ⢀⣀
         ⢠⠿⣁⣀⣀⣰⠹⡄  ⠉⠉⠉⠉⡖⠒⠒⠒⢲⠚⠷⠤⣤⣄⣄          ⢀⡎⠸⣄
        ⢀⠎    ⡜ ⢳⣀⣀⣀⡀  ⡧⢄⣀⣀⣸⡄ ⢰⠛⠾⢿⣶⣿⣶    ⢀⡖⢲⣺⣥⠟⠁
        ⣸⠒⠒⢤⢄⣠⡃ ⠈⢉⠇ ⠈⠉⢉⠇   ⠈⣇⣀⣘⣤ ⠘⡧⡋⠸⢧ ⢀⡖⠚⣀⡈⡾⣿⣶
        ⢗  ⡜  ⠈⡹⠉⠹⣀⣀⣀⡀⢸⠉⠉⠉⠙⠒⡇  ⢘⡶⠒⡧⠧⡤⠯⠔⡏⠉⠉ ⣷⡟⠁
        ⢸⡇ ⠣⡀ ⢀⠇   ⣿⣿★⣿⣿⡧⠤⠤⠤⠽⡖⠒⢺⡁ ⢱ ⢱⣀⣠⠟⣾⠟⣿⣿⠁
        ⠈⢧  ⠱⣀⣸⠤⠤⠤⢼⣿⣿⣿⣿⣿⠃    ⡇  ⠹⣄⡾⠖⠋⢉⣷⣔⣃⡠⠼⣯⡀
         ⢹⣷⣄ ⢀⡇   ⡜    ⡟⠛⡏⠉⠉⠉⢳⠒⠒⢲⣏⣉⣉⣉⣵⣯⠥⠤⢄⣸⠛⠁
          ⠈⠘⠒⠾⢄  ⢀⠇   ⢰⠁ ⠑⠲⠤⠤⢼⣀⣀⡞ ⡸ ⠘⡄⠈⠳⣤⠞
               ⠉⠒⠚⠒⠒⢶⡒⠚       ⡇⢀⣗⣀⢇⣀⣀⣇⣀⣠⡏
            ⢰⡏⠉⠹⡀    ⠣⣴⠲⣄   ⢀⡤⠧⠴⣤⣿⡏⠉⠉⠛⠙⣦⠘⣄
           ⠈⠽⣅⣴⠤⢧⣄⡀⠰⠂⢤⣀⡀⠘⣆⠠⡞⠁          ⠘⢦⣀⡇
        ⠈⠠⠤⠠⠖⠛⠉  ⠉⠁   ⠈⣿⠆⠈⠓⠃            ⠠⠟⠁

          ★ Colorado (CO) · capital Denver
            39.0° N, 105.5° W
        """

    private static let georgia = ###"""
          |-+---.__
          |+"   || ""`-----.-------_.                 |"\.
         .|'"---| |       ,'    |   "|++___.        __| .-
         |     |` "..--.__|------|  /'"-+|+-,     /"||||`
        .""---./.   |     |      |___.  || -/, .--._ |++|
        |   |   '|"-|     |""""--|   '--||\.|./|""`|+|"
        || '.    |  '|"""---_    |.--|"  | \  .|-._++'
         |  '-. ,'   |      |"""""|  '- .|_/--|./`'+|
         |_   `_/"`--|-----|______|   '\/___.-+.---|+,
          -+,  |    |`    |""|    '""""+____##.---_/"
           "'--|    |     /  '--._-|  +` | #####_.'
                "--.|.-.--|        \""|  |  ##*##`
              _--_     "-          |----.\--_#_#`.
            ..+  ',     '-""\   ../'"--++     '| |.
             +__+--._ --.-_. \.||`             '-.|
        ' -_,-+"`  '"     "|. "-|                /"
                           "

          * Georgia (GA), capital Atlanta, 32.6 N, 83.4 W
        """###
}
