// SPDX-License-Identifier: MIT

/// The name of an object that devices leave for each other: what it is, without a word of what is in it.
///
/// A name is lowercase ASCII of at most ``SyncLimit/nameByteCount`` bytes and a valid file name everywhere. An object is
/// written once and never changed; it may be removed by its writer.
public enum SyncObjectName: Sendable, Hashable {
    /// A record of the chain of devices, by its SHA-256.
    case membership(hash: [UInt8])
    /// Consecutive entries of a device's log, with the sequence numbers of the first and the last one.
    case log(device: [UInt8], first: UInt64, last: UInt64)
    /// One part of a snapshot: its writer, its number, and the part's position from 1 on.
    case snapshot(device: [UInt8], number: UInt64, part: UInt32, parts: UInt32)
    /// A message between two devices of which one is about to be added.
    case pairing(id: [UInt8], step: UInt8)

    /// The length of a device's id in bytes.
    public static let deviceByteCount = 16
    /// The length of a pairing's id in bytes.
    public static let pairingByteCount = 16
    /// The length of a record's hash in bytes.
    public static let hashByteCount = 32

    /// The name as text, for example `l-00…0f-1-20`.
    public var text: String {
        switch self {
        case .membership(let hash): "m-\(Self.hex(hash))"
        case .log(let device, let first, let last): "l-\(Self.hex(device))-\(first)-\(last)"
        case .snapshot(let device, let number, let part, let parts):
            "s-\(Self.hex(device))-\(number)-\(part)-\(parts)"
        case .pairing(let id, let step): "p-\(Self.hex(id))-\(step)"
        }
    }

    /// The name that a text is; nil unless it is exactly one.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= SyncLimit.nameByteCount else { return nil }
        let words = text.split(separator: "-", omittingEmptySubsequences: false)
        guard words.count >= 2 else { return nil }
        let numbers = words.dropFirst(2).map { UInt64($0) }
        func count(_ index: Int) -> UInt64? { index < numbers.count ? numbers[index] : nil }
        switch (words[0], words.count) {
        case ("m", 2):
            guard let hash = Self.bytes(words[1], count: Self.hashByteCount) else { return nil }
            self = .membership(hash: hash)
        case ("l", 4):
            guard let device = Self.bytes(words[1], count: Self.deviceByteCount), let first = count(0),
                let last = count(1), first >= 1, last >= first, last < SyncLimit.number
            else { return nil }
            self = .log(device: device, first: first, last: last)
        case ("s", 5):
            guard let device = Self.bytes(words[1], count: Self.deviceByteCount), let number = count(0),
                let part = count(1).flatMap({ UInt32(exactly: $0) }),
                let parts = count(2).flatMap({ UInt32(exactly: $0) }), part >= 1, part <= parts,
                number < SyncLimit.number
            else { return nil }
            self = .snapshot(device: device, number: number, part: part, parts: parts)
        case ("p", 3):
            guard let id = Self.bytes(words[1], count: Self.pairingByteCount),
                let step = count(0).flatMap({ UInt8(exactly: $0) })
            else { return nil }
            self = .pairing(id: id, step: step)
        default: return nil
        }
        // One name has one spelling: no capitals, no leading zeros, no signs.
        guard self.text == text else { return nil }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func bytes(_ text: some StringProtocol, count: Int) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 2 * count else { return nil }
        var bytes: [UInt8] = []
        for index in 0..<count {
            guard let byte = UInt8(String(decoding: digits[2 * index..<2 * index + 2], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}

extension SyncObjectName: CustomStringConvertible {
    /// The name as text.
    public var description: String { text }
}
