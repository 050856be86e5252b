// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import QRCodes

@Suite(.timeLimit(.minutes(5))) struct QRCodeTests {
    private static let texts = [
        "x", "parley:ASwaaHR0cHM6Ly9jbG91ZC5leGFtcGxlL2Rhdi8KWllYV1ZUU1JRUFrWATs", "0123456789", "HELLO WORLD",
        "Gruß – 東京", String(repeating: "a long text, ", count: 40),
    ]

    /// Reads a picture of dark and light pixels with zbarimg; nil if it finds no code.
    private func read(_ pixels: [[Bool]]) throws -> String? {
        let scale = 4
        let width = (pixels.first?.count ?? 0) * scale
        let bytes = pixels.flatMap { row in
            let line = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: scale) }
            return (0..<scale).flatMap { _ in line }
        }
        let folder = try TemporaryFolder()
        let header = Array("P5\n\(width) \(pixels.count * scale)\n255\n".utf8)
        let picture = try folder.write(header + bytes, to: "code.pnm")
        let reader = try ChildProcess(
            "zbarimg", ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", picture], errors: .discarded)
        let result = reader.finish()
        return result.code == 0 ? String(result.output.dropLast()) : nil
    }

    /// The pixels that a terminal shows.
    private func pixels(_ lines: [String], on terminal: QRCode.Terminal) -> [[Bool]] {
        lines.flatMap { line in
            let halves = line.map { character in
                (top: "█▀".contains(character), bottom: "█▄".contains(character))
            }
            return [halves.map { $0.top == (terminal == .light) }, halves.map { $0.bottom == (terminal == .light) }]
        }
    }

    @Test(arguments: texts, QRCode.Terminal.allCases)
    func `a reader reads what the terminal shows`(text: String, terminal: QRCode.Terminal) throws {
        let lines = try QRCode(text).lines(for: terminal)
        #expect(lines.allSatisfy { $0.count == lines[0].count })
        let read = try read(pixels(lines, on: terminal))
        #expect(read == text)
    }

    @Test(arguments: QRCode.Correction.allCases)
    func `a code survives the damage that it is made for`(correction: QRCode.Correction) throws {
        let code = try QRCode(Self.texts[1], correction: correction)
        let border = [Bool](repeating: false, count: QRCode.quietZone)
        let empty = [Bool](repeating: false, count: code.rows.count + 2 * border.count)
        let frame = [[Bool]](repeating: empty, count: border.count)
        var rows = frame + code.rows.map { border + $0 + border } + frame
        #expect(try read(rows) == Self.texts[1])
        // A blot in the middle, of 1% of the code.
        let (middle, radius) = (rows.count / 2, code.rows.count / 20)
        for row in middle - radius...middle + radius {
            for column in middle - radius...middle + radius { rows[row][column] = true }
        }
        #expect(try read(rows) == Self.texts[1])
        // The test's own eye: without a part of a finder pattern there is no code.
        for row in 0..<rows.count / 2 { rows[row] = empty }
        #expect(try read(rows) == nil)
    }

    @Test func `more correction takes more room`() throws {
        let widths = try QRCode.Correction.allCases.map { try QRCode(Self.texts[1], correction: $0).rows.count }
        #expect(widths == widths.sorted() && widths[0] < widths[3])
        #expect(widths.allSatisfy { ($0 - 17).isMultiple(of: 4) })
    }

    @Test func `the longest text fits and the next does not`() throws {
        #expect(try QRCode(String(repeating: "x", count: 2_953)).rows.count == 177)
        for count in [0, 2_954, 100_000] {
            let error = #expect(throws: QRCodeError.self) { _ = try QRCode(String(repeating: "x", count: count)) }
            #expect(error?.code == .tooLong)
        }
    }

    @Test func `a terminal shows two rows in a line`() throws {
        let code = try QRCode("x")
        let lines = code.lines(for: .light)
        #expect(code.rows.count == 21 && lines.count == 15 && lines[0].count == 29)
        #expect(lines[0] == String(repeating: " ", count: 29))
        #expect(code.lines(for: .dark)[0] == String(repeating: "█", count: 29))
    }
}
