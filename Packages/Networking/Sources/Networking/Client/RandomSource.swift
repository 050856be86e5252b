// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// One random source for all of a client's stages.
final class RandomSource: Sendable {
    private let generator: Guarded<any RandomNumberGenerator & Sendable>

    init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = Guarded(generator)
    }

    /// A number from zero up to, but not including, one.
    func unit() -> Double {
        generator.withLock { Double.random(in: 0..<1, using: &$0) }
    }

    /// 128 random bits as 32 hexadecimal digits.
    func key() -> String {
        let (high, low) = generator.withLock { ($0.next() as UInt64, $0.next() as UInt64) }
        return [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
