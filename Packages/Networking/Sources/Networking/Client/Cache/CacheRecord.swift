// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The content of one file of a cache: a mark, the lengths, a description in JSON, the bodies, and a checksum over all.
struct CacheRecord {
    private struct Description: Codable {
        var key: String
        var variants: [Variant]
    }

    private struct Variant: Codable {
        var status: Int
        var headers: [[String]]
        var url: URL
        var varying: [String: String]
        var varyingAbsent: [String]
        var requested: Double
        var responded: Double
        var length: Int
    }

    private static let mark = Array("HTTPCACHE1\n".utf8)

    var key: String
    var variants: [CachedResponse]

    var bytes: [UInt8] {
        let description = Description(
            key: key,
            variants: variants.map { variant in
                Variant(
                    status: variant.status, headers: variant.headers.map { [$0.name, $0.value] }, url: variant.url,
                    varying: variant.varying.compactMapValues { $0 },
                    varyingAbsent: variant.varying.filter { $0.value == nil }.map(\.key),
                    requested: variant.requested.timeIntervalSince1970,
                    responded: variant.responded.timeIntervalSince1970, length: variant.body.count)
            })
        guard let json = try? JSONEncoder().encode(description) else { return [] }
        var bytes = Self.mark + Self.encode(UInt64(json.count)) + json
        variants.forEach { bytes += $0.body }
        return bytes + Self.encode(Self.checksum(bytes[...]))
    }

    /// Reads a file's content.
    ///
    /// - Returns: `nil` if anything about it is not as it was written.
    static func read(_ bytes: [UInt8]) -> CacheRecord? {
        let start = mark.count + 8
        guard bytes.count >= start + 8, bytes.starts(with: mark),
            decode(bytes[(bytes.count - 8)...]) == checksum(bytes[..<(bytes.count - 8)]),
            let length = Int(exactly: decode(bytes[mark.count..<start])), length <= bytes.count - start - 8,
            let description = try? JSONDecoder().decode(
                Description.self, from: Data(bytes[start..<(start + length)]))
        else { return nil }
        var position = start + length
        var variants: [CachedResponse] = []
        for variant in description.variants {
            guard variant.length >= 0, variant.length <= bytes.count - 8 - position,
                variant.headers.allSatisfy({ $0.count == 2 })
            else { return nil }
            var varying: [String: String?] = variant.varying
            variant.varyingAbsent.forEach { varying.updateValue(nil, forKey: $0) }
            variants.append(
                CachedResponse(
                    status: variant.status,
                    headers: HTTPHeaders(variant.headers.map { .init(name: $0[0], value: $0[1]) }), url: variant.url,
                    varying: varying, requested: Date(timeIntervalSince1970: variant.requested),
                    responded: Date(timeIntervalSince1970: variant.responded),
                    body: Array(bytes[position..<(position + variant.length)])))
            position += variant.length
        }
        return CacheRecord(key: description.key, variants: variants)
    }

    private static func encode(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    private static func decode(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    // FNV-1a guards against torn writes, not against an enemy: who can write here can write anything.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
    }
}
