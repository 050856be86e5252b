// SPDX-License-Identifier: MIT

import Testing

@testable import TerminalKit

@Suite struct DotCanvasTests {
    @Test func cellsHaveTheBitsOfTheBraillePatterns() {
        // U+28FF has all dots; each dot alone is one bit (Unicode 16, §21.1).
        let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
        for y in 0..<4 {
            for x in 0..<2 {
                var canvas = DotCanvas(columns: 2, lines: 2)
                let point = CanvasPoint(x: Double(x) + 2.5, y: Double(y) + 4.5)
                canvas.line(from: point, to: point)
                #expect(canvas.cell(column: 1, line: 1) == bits[y][x])
                #expect(canvas.cell(column: 0, line: 0) == 0)
            }
        }
    }

    @Test func linesAreTheSameInBothDirectionsAndClipped() {
        for end in [
            CanvasPoint(x: 17, y: 3), CanvasPoint(x: 2, y: 30), CanvasPoint(x: -9, y: 14), CanvasPoint(x: 40, y: 40),
        ] {
            var there = DotCanvas(columns: 10, lines: 6)
            var back = there
            there.line(from: CanvasPoint(x: 5.2, y: 7.9), to: end)
            back.line(from: end, to: CanvasPoint(x: 5.2, y: 7.9))
            #expect(there == back)
            #expect(there.dots.contains(true))
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, 100_001])
    func `a point out of reach draws nothing`(_ coordinate: Double) {
        var canvas = DotCanvas(columns: 2, lines: 2)
        let (near, far) = (CanvasPoint(x: 1, y: 1), CanvasPoint(x: 1, y: coordinate))
        canvas.line(from: near, to: far)
        canvas.fill([[near, far, CanvasPoint(x: 3, y: 3)]])
        #expect(canvas == DotCanvas(columns: 2, lines: 2))
    }

    @Test func fillsByTheEvenOddRule() {
        func square(_ from: Double, _ to: Double) -> [CanvasPoint] {
            [
                CanvasPoint(x: from, y: from), CanvasPoint(x: to, y: from), CanvasPoint(x: to, y: to),
                CanvasPoint(x: from, y: to),
            ]
        }
        var canvas = DotCanvas(columns: 6, lines: 3)
        canvas.fill([square(1, 11), square(4, 8)])
        for y in 0..<canvas.height {
            for x in 0..<canvas.width {
                let isInside = (1..<11).contains(x) && (1..<11).contains(y)
                let isHole = (4..<8).contains(x) && (4..<8).contains(y)
                #expect(canvas.dots[y * canvas.width + x] == (isInside && !isHole), "\(x), \(y)")
            }
        }
        var hole = DotCanvas(columns: 6, lines: 3)
        hole.fill([square(4, 8)])
        var all = canvas
        all.formUnion(hole)
        #expect(all.dots.count(where: { $0 }) == 100)
        var none = canvas
        none.formIntersection(hole)
        #expect(none == DotCanvas(columns: 6, lines: 3))
        all.subtract(hole)
        #expect(all == canvas)
    }
}
