// SPDX-License-Identifier: MIT

import Domain

/// The drawn outlines of the states, decoded from ``StateOutlineTable`` one state at a time, when asked for.
struct StateOutlines: Sendable {
    private let rows: [(abbreviation: String, outline: String)]
    private let stepsPerDegree: Double

    /// Outlines from rows in the encoding that ``StateOutlineTable`` describes.
    init(
        rows: [(abbreviation: String, outline: String)] = StateOutlineTable.rows,
        stepsPerDegree: Int = StateOutlineTable.stepsPerDegree
    ) {
        self.rows = rows
        self.stepsPerDegree = Double(stepsPerDegree)
    }

    /// The postal abbreviations of all outlines, sorted.
    var abbreviations: [String] { rows.map(\.abbreviation) }

    /// The rings of a state, the largest first: each a closed line without its first corner repeated at the end.
    /// Longitudes run on past −180° in the far Aleutians, so that no ring jumps. `nil` when there is no such state, or
    /// its row is damaged.
    func rings(of abbreviation: String) -> [[Coordinate]]? {
        guard let row = rows.first(where: { $0.abbreviation == abbreviation }) else { return nil }
        return Self.decode(row.outline, stepsPerDegree: stepsPerDegree)
    }

    /// Decodes one outline; `nil` for text that is not in the encoding.
    private static func decode(_ text: String, stepsPerDegree: Double) -> [[Coordinate]]? {
        var rings: [[Coordinate]] = []
        var ring: [Coordinate] = []
        var east = 0
        var north = 0
        var isNorth = false
        var number = 0
        var shift = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: " ") {
                guard ring.count >= 3, shift == 0, !isNorth else { return nil }
                rings.append(ring)
                ring = []
                continue
            }
            guard let digit = value(of: byte), shift <= 20 else { return nil }
            number |= (digit & 31) << shift
            shift += 5
            guard digit < 32 else { continue }
            let step = number & 1 == 0 ? number >> 1 : ~(number >> 1)
            number = 0
            shift = 0
            if isNorth {
                north += step
                ring.append(
                    Coordinate(latitude: Double(north) / stepsPerDegree, longitude: Double(east) / stepsPerDegree))
            } else {
                east += step
            }
            isNorth.toggle()
        }
        guard ring.count >= 3, shift == 0, !isNorth else { return nil }
        rings.append(ring)
        return rings
    }

    /// The value of a character of the alphabet A–Z a–z 0–9 - _.
    private static func value(of byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) + 4
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
