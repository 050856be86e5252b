// SPDX-License-Identifier: MIT

/// Biquad sections in series over a stream of interleaved samples, each channel filtered separately.
///
/// Transposed direct form II in double precision, two channels side by side. The result is the same however the stream
/// is cut. Silence cannot slow it down: a state that decays below 10⁻³⁰ is cleared. Values that are not numbers, and
/// infinite ones, spoil at most the 128 frames that they are in; then the memory is cleared. One stream at a time;
/// `process` allocates nothing.
public struct BiquadCascade: Sendable {
    /// The sections in their order. Changing coefficients while it runs is allowed; the memory stays.
    public private(set) var sections: [Biquad]
    /// Samples per frame.
    public let channels: Int

    /// The two delayed values of each section and pair of channels.
    private var memory: [SIMD2<Double>]

    /// Makes a filter with an empty memory, for at least one channel.
    public init(_ sections: [Biquad], channels: Int = 1) {
        precondition(channels > 0)
        self.sections = sections
        self.channels = channels
        memory = [SIMD2<Double>](repeating: SIMD2(0, 0), count: 2 * sections.count * ((channels + 1) / 2))
    }

    /// Clears the memory of the stream so far.
    public mutating func reset() {
        for index in memory.indices { memory[index] = SIMD2(0, 0) }
    }

    /// Filters `samples` (interleaved, whole frames) in place.
    public mutating func process(_ samples: UnsafeMutableBufferPointer<Float>) {
        guard let base = samples.baseAddress else { return }
        let frames = samples.count / channels
        let (channels, count) = (channels, sections.count)
        sections.withUnsafeBufferPointer { sections in
            memory.withUnsafeMutableBufferPointer { memory in
                var first = 0
                while first < frames {
                    let length = min(128, frames - first)
                    var channel = 0
                    while channel < channels {
                        for index in 0..<count {
                            let at = 2 * (channel / 2 * count + index)
                            let piece = base + first * channels + channel
                            if channel + 1 < channels {
                                Self.run(sections[index], piece, channels, length, &memory[at], &memory[at + 1])
                            } else {
                                Self.runSingle(sections[index], piece, channels, length, &memory[at], &memory[at + 1])
                            }
                        }
                        channel += 2
                    }
                    first += length
                }
            }
        }
    }

    @inline(__always)
    private static func run(
        _ section: Biquad, _ samples: UnsafeMutablePointer<Float>, _ stride: Int, _ frames: Int,
        _ memory1: inout SIMD2<Double>, _ memory2: inout SIMD2<Double>
    ) {
        var (s1, s2) = (memory1, memory2)
        var at = samples
        for _ in 0..<frames {
            let x = SIMD2(Double(at[0]), Double(at[1]))
            let y = section.b0 * x + s1
            s1 = section.b1 * x + s2 - section.a1 * y
            s2 = section.b2 * x - section.a2 * y
            at[0] = Float(y.x)
            at[1] = Float(y.y)
            at += stride
        }
        memory1 = settled(s1)
        memory2 = settled(s2)
    }

    @inline(__always)
    private static func runSingle(
        _ section: Biquad, _ samples: UnsafeMutablePointer<Float>, _ stride: Int, _ frames: Int,
        _ memory1: inout SIMD2<Double>, _ memory2: inout SIMD2<Double>
    ) {
        var (s1, s2) = (memory1.x, memory2.x)
        var at = samples
        for _ in 0..<frames {
            let x = Double(at[0])
            let y = section.b0 * x + s1
            s1 = section.b1 * x + s2 - section.a1 * y
            s2 = section.b2 * x - section.a2 * y
            at[0] = Float(y)
            at += stride
        }
        memory1.x = settled(s1)
        memory2.x = settled(s2)
    }

    /// 0 for a value that is too small to matter or is not finite.
    @inline(__always)
    static func settled(_ value: Double) -> Double {
        abs(value) > 1e-30 && abs(value) < .infinity ? value : 0
    }

    @inline(__always)
    static func settled(_ pair: SIMD2<Double>) -> SIMD2<Double> { SIMD2(settled(pair.x), settled(pair.y)) }
}
