// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The slots of a sealed recording's plaintext, each a chunk of the sealed file, so that each reaches the disk by
/// itself.
///
/// Six bytes hold the slot's offset in the encoded sound. At most 4,088 bytes of the sound follow, then zeros. The last
/// two bytes hold the number of sound bytes. (Numbers have their lowest byte first.) The offset precedes the sound
/// because it is known early: written behind a finished slot, it makes that slot's chunk leave the writer's memory.
enum RecordingSlot {
    /// The chunk's length as a binary logarithm, and in bytes.
    static let exponent: UInt8 = 12
    static let byteCount = 1 << 12
    static let offsetByteCount = 6
    static let countByteCount = 2
    static let payloadByteCount = byteCount - offsetByteCount - countByteCount
    /// Replaces the number of bytes in the last slot, whose payload is the trailer.
    static let trailerMark = 0xFFFF

    /// The offset and payload of a slot.
    struct Content {
        let offset: Int
        let count: Int
        let payload: Data
    }

    static func offsetBytes(_ offset: Int) -> [UInt8] { number(offset, offsetByteCount) }

    /// The bytes after the offset: payload, zeros, the count.
    static func rest(_ payload: some Collection<UInt8>, count: Int? = nil) -> Data {
        var data = Data(payload)
        data.append(Data(count: payloadByteCount - payload.count))
        data.append(contentsOf: number(count ?? payload.count, countByteCount))
        return data
    }

    /// Parses a slot; nil for invalid bytes.
    static func content(of slot: Data) -> Content? {
        guard slot.count == byteCount else { return nil }
        let count = value(slot.suffix(countByteCount))
        guard count == trailerMark || (1...payloadByteCount).contains(count) else { return nil }
        let payload = slot.dropFirst(offsetByteCount).prefix(count == trailerMark ? payloadByteCount : count)
        return Content(offset: value(slot.prefix(offsetByteCount)), count: payload.count, payload: payload)
    }

    static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func value(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
