// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The encoding of sound in events: 16-bit samples 24,000 times a second, or G.711 (ITU-T) at 8,000.
///
/// Inside, sound is always `[Int16]` at 24 kHz.
enum SoundFormat: String, Sendable {
    case pcm = "audio/pcm"
    case pcmu = "audio/pcmu"
    case pcma = "audio/pcma"

    /// The samples of a millisecond.
    static let samplesPerMillisecond = 24

    /// Reads base64; `nil` if it is invalid, or ends within a sample.
    func decode(_ text: String) -> [Int16]? {
        guard let data = Data(base64Encoded: text) else { return nil }
        switch self {
        case .pcm:
            guard data.count % 2 == 0 else { return nil }
            return [Int16](unsafeUninitializedCapacity: data.count / 2) { samples, count in
                count = data.copyBytes(to: samples) / 2
                for place in 0..<count { samples[place] = Int16(littleEndian: samples[place]) }
            }
        case .pcmu: return Self.threefold(data.map(G711.linear(fromMuLaw:)))
        case .pcma: return Self.threefold(data.map(G711.linear(fromALaw:)))
        }
    }

    /// Writes base64.
    func encode(_ samples: ArraySlice<Int16>) -> String {
        let bytes =
            switch self {
            case .pcm: samples.map { $0.littleEndian }.withUnsafeBytes { Data($0) }
            case .pcmu: Data(Self.third(samples).map(G711.muLaw(from:)))
            case .pcma: Data(Self.third(samples).map(G711.aLaw(from:)))
            }
        return bytes.base64EncodedString()
    }

    /// Converts from 8 to 24 kHz by linear interpolation.
    private static func threefold(_ samples: [Int16]) -> [Int16] {
        var result: [Int16] = []
        result.reserveCapacity(samples.count * 3)
        for (place, sample) in samples.enumerated() {
            let (here, next) = (Int(sample), Int(place + 1 < samples.count ? samples[place + 1] : sample))
            result += [sample, Int16((2 * here + next) / 3), Int16((here + 2 * next) / 3)]
        }
        return result
    }

    /// Converts from 24 to 8 kHz by the mean of three samples.
    private static func third(_ samples: ArraySlice<Int16>) -> [Int16] {
        stride(from: samples.startIndex, to: samples.endIndex, by: 3).map { place in
            let three = samples[place..<min(place + 3, samples.endIndex)]
            return Int16(three.reduce(0) { $0 + Int($1) } / three.count)
        }
    }
}

/// ITU-T G.711.
enum G711 {
    static func linear(fromMuLaw byte: UInt8) -> Int16 {
        let code = ~byte
        let magnitude = ((Int16(code & 0x0F) << 3) + 0x84) << Int16((code & 0x70) >> 4)
        return code & 0x80 == 0 ? magnitude - 0x84 : 0x84 - magnitude
    }

    static func muLaw(from sample: Int16) -> UInt8 {
        let sign: UInt8 = sample < 0 ? 0x80 : 0
        let magnitude = min(abs(Int(sample)), 32_635) + 0x84
        let exponent = max(0, Int.bitWidth - 1 - magnitude.leadingZeroBitCount - 7)
        return ~(sign | UInt8(exponent << 4) | UInt8((magnitude >> (exponent + 3)) & 0x0F))
    }

    static func linear(fromALaw byte: UInt8) -> Int16 {
        let code = byte ^ 0x55
        let exponent = Int16((code & 0x70) >> 4)
        var magnitude = (Int16(code & 0x0F) << 4) + 8
        if exponent > 0 { magnitude = (magnitude + 0x100) << (exponent - 1) }
        return code & 0x80 == 0 ? -magnitude : magnitude
    }

    static func aLaw(from sample: Int16) -> UInt8 {
        let sign: UInt8 = sample < 0 ? 0 : 0x80
        let magnitude = min(sample < 0 ? -1 - Int(sample) : Int(sample), 32_767)
        let exponent = max(0, Int.bitWidth - 1 - max(magnitude, 1).leadingZeroBitCount - 7)
        let mantissa = (magnitude >> (exponent == 0 ? 4 : exponent + 3)) & 0x0F
        return (sign | UInt8(exponent << 4) | UInt8(mantissa)) ^ 0x55
    }
}
