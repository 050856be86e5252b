// SPDX-License-Identifier: MIT

/// How long a sound is: exactly for WAVE, else at 32 kbit/s.
enum SoundLength {
    static func seconds(of bytes: [UInt8]) -> Double {
        guard bytes.count >= 44, bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual("WAVE".utf8) else {
            return Double(bytes.count) / 4000
        }
        var (place, rate) = (12, 0)
        while place + 8 <= bytes.count {
            let size = word(bytes, place + 4)
            if bytes[place..<place + 4].elementsEqual("fmt ".utf8), place + 20 <= bytes.count {
                rate = word(bytes, place + 16)
            }
            if bytes[place..<place + 4].elementsEqual("data".utf8) {
                // A stream has no length in its header.
                let length = min(size, bytes.count - place - 8)
                return rate > 0 ? Double(length) / Double(rate) : 0
            }
            place += 8 + size + size % 2
        }
        return 0
    }

    private static func word(_ bytes: [UInt8], _ place: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
}
