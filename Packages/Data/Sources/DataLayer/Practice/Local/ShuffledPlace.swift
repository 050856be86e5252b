// SPDX-License-Identifier: MIT

import Domain

/// A cue's position in a shuffled list, and its row.
struct ShuffledPlace {
    let sortKey: Int64
    let id: Identifier<Cue>
    let number: Int64

    func isBefore(_ other: ShuffledPlace) -> Bool {
        sortKey == other.sortKey ? id < other.id : sortKey < other.sortKey
    }
}

extension CueCursor {
    /// True if a position is after this cursor.
    func isBefore(_ place: ShuffledPlace) -> Bool {
        sortKey == place.sortKey ? id < place.id : sortKey < place.sortKey
    }
}

/// The first positions of a shuffled list after a cursor, out of all of them in any order; no others are held in
/// memory.
struct FirstShuffledCues {
    /// The positions in the list's order.
    private(set) var places: [ShuffledPlace] = []
    private let limit: Int
    private let cursor: CueCursor?

    init(limit: Int, after cursor: CueCursor?) {
        self.limit = limit
        self.cursor = cursor
        places.reserveCapacity(limit + 1)
    }

    mutating func add(_ place: ShuffledPlace) {
        guard cursor?.isBefore(place) ?? true else { return }
        if places.count == limit, let last = places.last, last.isBefore(place) { return }
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].isBefore(place) { low = middle + 1 } else { high = middle }
        }
        places.insert(place, at: low)
        if places.count > limit { places.removeLast() }
    }
}

extension Identifier {
    /// The id of a stored 36-character text; `nil` for anything else. Makes no string in between.
    init?(hexadecimal text: Span<UInt8>) {
        guard text.count == 36 else { return nil }
        var halves = (high: UInt64(0), low: UInt64(0))
        var digits = 0
        for index in 0..<36 {
            let byte = text[index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x61...0x66: digit = byte - 0x57
            case 0x41...0x46: digit = byte - 0x37
            default: return nil
            }
            if digits < 16 {
                halves.high = halves.high << 4 | UInt64(digit)
            } else {
                halves.low = halves.low << 4 | UInt64(digit)
            }
            digits += 1
        }
        self.init(high: halves.high, low: halves.low)
    }
}
