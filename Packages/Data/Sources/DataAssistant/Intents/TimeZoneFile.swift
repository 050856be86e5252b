// SPDX-License-Identifier: MIT

import Domain

/// A compiled time zone, as `zic` writes it: TZif of versions 1 to 4 (RFC 8536, RFC 9636).
struct TimeZoneFile: Sendable {
    /// The fault of a file.
    enum Fault: Error, Hashable {
        /// It does not begin as a time zone does.
        case notTimeZone
        /// It ends before its counts say so.
        case truncated
        /// A count, an index or an order that the format forbids.
        case malformed
        /// It counts leap seconds ("right/…"), so its times are not POSIX times.
        case leapSeconds
        /// Its footer is no POSIX rule.
        case footer
    }

    /// Seconds since 1970, ascending.
    private let transitions: [Int64]
    /// The type from each transition on.
    private let types: [UInt8]
    private let offsets: [ZoneOffset]
    /// For the times after the last transition.
    private let rule: PosixTimeZone?

    /// Reads a file; every count is checked against the bytes that are there before anything is made of it.
    init(_ bytes: [UInt8]) throws(Fault) {
        var reader = Reader(bytes)
        var header = try Header(&reader)
        if header.version >= UInt8(ascii: "2") {
            try reader.skip(header.size(ofTime: 4))
            header = try Header(&reader)
        }
        let timeSize = header.version >= UInt8(ascii: "2") ? 8 : 4
        guard reader.rest >= header.size(ofTime: timeSize) else { throw .truncated }
        guard header.types > 0, header.types <= 256, header.characters > 0 else { throw .malformed }
        guard header.leaps == 0 else { throw .leapSeconds }

        var transitions: [Int64] = []
        for _ in 0..<header.times {
            let time =
                timeSize == 8
                ? Int64(bitPattern: try reader.integer(8))
                : Int64(Int32(truncatingIfNeeded: try reader.integer(4)))
            if let last = transitions.last, last >= time { throw .malformed }
            transitions.append(time)
        }
        types = Array(try reader.take(header.times))
        guard types.allSatisfy({ $0 < header.types }) else { throw .malformed }
        let records = try reader.take(header.types * 6)
        let characters = try reader.take(header.characters)
        offsets = try Self.offsets(Array(records), Array(characters))
        self.transitions = transitions
        try reader.skip(header.standardFlags + header.universalFlags)
        guard timeSize == 8 else {
            rule = nil
            return
        }
        let footer = reader.take()
        guard footer.first == 10, let end = footer.dropFirst().firstIndex(of: 10) else { throw .footer }
        let text = String(decoding: footer[(footer.startIndex + 1)..<end], as: UTF8.self)
        guard !text.isEmpty else {
            rule = nil
            return
        }
        guard let rule = PosixTimeZone(text) else { throw .footer }
        self.rule = rule
    }

    /// The offset at a time in seconds since 1970.
    func offset(at time: Int64) -> ZoneOffset {
        guard let last = transitions.last else { return rule?.offset(at: time) ?? offsets[0] }
        guard time < last else { return rule?.offset(at: time) ?? offsets[Int(types[types.count - 1])] }
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? offsets[0] : offsets[Int(types[low - 1])]
    }

    private static func offsets(_ records: [UInt8], _ characters: [UInt8]) throws(Fault) -> [ZoneOffset] {
        var offsets: [ZoneOffset] = []
        for start in stride(from: 0, to: records.count, by: 6) {
            let bits = records[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let seconds = Int(Int32(bitPattern: bits))
            let (isDaylightSaving, name) = (records[start + 4], Int(records[start + 5]))
            guard abs(seconds) < 26 * 3600, isDaylightSaving < 2, name < characters.count,
                let end = characters[name...].firstIndex(of: 0), characters[name..<end].allSatisfy({ $0 < 128 })
            else { throw .malformed }
            offsets.append(
                ZoneOffset(
                    seconds: seconds, isDaylightSaving: isDaylightSaving == 1,
                    abbreviation: String(decoding: characters[name..<end], as: UTF8.self)))
        }
        return offsets
    }

    private struct Header {
        let version: UInt8
        let universalFlags, standardFlags, leaps, times, types, characters: Int

        init(_ reader: inout Reader) throws(Fault) {
            guard reader.rest >= 4, try Array(reader.take(4)) == Array("TZif".utf8) else { throw .notTimeZone }
            version = UInt8(try reader.integer(1))
            guard version == 0 || version >= UInt8(ascii: "2") else { throw .notTimeZone }
            try reader.skip(15)
            universalFlags = Int(try reader.integer(4))
            standardFlags = Int(try reader.integer(4))
            leaps = Int(try reader.integer(4))
            times = Int(try reader.integer(4))
            types = Int(try reader.integer(4))
            characters = Int(try reader.integer(4))
        }

        /// The bytes of the block; six counts of 32 bits cannot overflow it.
        func size(ofTime size: Int) -> Int {
            times * (size + 1) + types * 6 + characters + leaps * (size + 4) + standardFlags + universalFlags
        }
    }

    private struct Reader {
        private var bytes: ArraySlice<UInt8>
        var rest: Int { bytes.count }

        init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

        mutating func take(_ count: Int) throws(Fault) -> ArraySlice<UInt8> {
            guard count <= bytes.count else { throw .truncated }
            defer { bytes = bytes.dropFirst(count) }
            return bytes.prefix(count)
        }

        func take() -> ArraySlice<UInt8> { bytes }

        mutating func skip(_ count: Int) throws(Fault) { _ = try take(count) }

        mutating func integer(_ size: Int) throws(Fault) -> UInt64 {
            try take(size).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
