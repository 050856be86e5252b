// SPDX-License-Identifier: MIT
import Glibc

/// The plain loops that one would write first, as the compiler makes them. Checks of bounds are off, as in the kernels.
enum Scalar {
    typealias Samples = UnsafePointer<Float>
    typealias Target = UnsafeMutablePointer<Float>

    static func toInt16(_ source: Samples, _ target: UnsafeMutablePointer<Int16>, _ count: Int) {
        for index in 0..<count {
            let scaled = source[index] * 32_768
            target[index] =
                scaled >= 32_767
                ? 32_767 : scaled <= -32_768 ? -32_768 : scaled == scaled ? Int16(scaled.rounded(.toNearestOrEven)) : 0
        }
    }

    static func toFloat(_ source: UnsafePointer<Int16>, _ target: Target, _ count: Int) {
        for index in 0..<count { target[index] = Float(source[index]) * (1 / 32_768) }
    }

    static func toInt32(_ source: Samples, _ target: UnsafeMutablePointer<Int32>, _ count: Int, _ full: Double) {
        for index in 0..<count {
            let scaled = Double(source[index]) * full
            target[index] =
                scaled >= full - 1
                ? Int32(full - 1)
                : scaled <= -full ? Int32(-full) : scaled == scaled ? Int32(scaled.rounded(.toNearestOrEven)) : 0
        }
    }

    static func toPacked24(_ source: Samples, _ target: UnsafeMutablePointer<UInt8>, _ count: Int) {
        for index in 0..<count {
            let scaled = Double(source[index]) * 8_388_608
            let word: Int32 =
                scaled >= 8_388_607
                ? 8_388_607
                : scaled <= -8_388_608 ? -8_388_608 : scaled == scaled ? Int32(scaled.rounded(.toNearestOrEven)) : 0
            target[3 * index] = UInt8(truncatingIfNeeded: word)
            target[3 * index + 1] = UInt8(truncatingIfNeeded: word >> 8)
            target[3 * index + 2] = UInt8(truncatingIfNeeded: word >> 16)
        }
    }

    static func fromPacked24(_ source: UnsafePointer<UInt8>, _ target: Target, _ count: Int) {
        for index in 0..<count {
            let word =
                Int32(source[3 * index]) << 8 | Int32(source[3 * index + 1]) << 16 | Int32(source[3 * index + 2]) << 24
            target[index] = Float(word) * (1 / 2_147_483_648)
        }
    }

    static func deinterleave(_ source: Samples, _ target: Target, _ frames: Int, _ channels: Int) {
        for frame in 0..<frames {
            for channel in 0..<channels { target[channel * frames + frame] = source[frame * channels + channel] }
        }
    }

    static func interleave(_ source: Samples, _ target: Target, _ frames: Int, _ channels: Int) {
        for frame in 0..<frames {
            for channel in 0..<channels { target[frame * channels + channel] = source[channel * frames + frame] }
        }
    }

    static func mix(_ source: Samples, _ target: Target, _ frames: Int, _ gains: Samples, _ inputs: Int, _ outputs: Int)
    {
        for frame in 0..<frames {
            for output in 0..<outputs {
                var sum: Float = 0
                for input in 0..<inputs { sum += source[frame * inputs + input] * gains[output * inputs + input] }
                target[frame * outputs + output] = sum
            }
        }
    }

    static func gain(_ samples: Target, _ count: Int, _ gain: Float) {
        for index in 0..<count { samples[index] *= gain }
    }

    static func ramp(_ samples: Target, _ count: Int) {
        for index in 0..<count {
            let share = sinf(.pi / 2 * Float(index) / Float(count))
            samples[index] *= share
        }
    }

    static func add(_ source: Samples, _ target: Target, _ count: Int, _ gain: Float) {
        for index in 0..<count { target[index] += source[index] * gain }
    }

    static func clip(_ samples: Target, _ count: Int) {
        for index in 0..<count {
            let sample = samples[index]
            samples[index] = sample > 1 ? 1 : sample < -1 ? -1 : sample == sample ? sample : 0
        }
    }

    static func level(_ samples: Samples, _ count: Int) -> (Double, Float, Int) {
        var (sum, peak, clipped) = (0.0, Float(0), 0)
        for index in 0..<count where samples[index] == samples[index] {
            let magnitude = abs(samples[index])
            sum += Double(magnitude) * Double(magnitude)
            if magnitude > peak { peak = magnitude }
            if magnitude >= 32_767.0 / 32_768.0 { clipped += 1 }
        }
        return (sum, peak, clipped)
    }

    static func power(_ real: Samples, _ imaginary: Samples, _ target: Target, _ count: Int) {
        for index in 0..<count { target[index] = real[index] * real[index] + imaginary[index] * imaginary[index] }
    }

    /// One section for each of the interleaved channels, direct form II transposed in floats.
    static func biquad(
        _ samples: Target, _ frames: Int, _ channels: Int, _ c: (Float, Float, Float, Float, Float), _ state: Target
    ) {
        for channel in 0..<channels {
            var (s1, s2) = (state[2 * channel], state[2 * channel + 1])
            for frame in 0..<frames {
                let x = samples[frame * channels + channel]
                let y = c.0 * x + s1
                s1 = c.1 * x + s2 - c.3 * y
                s2 = c.2 * x - c.4 * y
                samples[frame * channels + channel] = y
            }
            (state[2 * channel], state[2 * channel + 1]) = (s1, s2)
        }
    }

    /// The true peak by 4 × 12 taps.
    static func truePeak(_ samples: Samples, _ count: Int, _ taps: Samples) -> Float {
        var peak: Float = 0
        for index in 11..<count {
            for phase in 0..<4 {
                var sum: Float = 0
                for tap in 0..<12 { sum += samples[index - tap] * taps[12 * phase + tap] }
                peak = max(peak, abs(sum))
            }
        }
        return peak
    }

    /// A recursive radix-2 transform of complex numbers, in place, with its roots at hand.
    static func fft(_ real: Target, _ imaginary: Target, _ count: Int, _ cosine: Samples, _ sine: Samples) {
        var swapped = 0
        for index in 1..<count {
            var bit = count >> 1
            while swapped & bit != 0 {
                swapped ^= bit
                bit >>= 1
            }
            swapped |= bit
            if index < swapped {
                (real[index], real[swapped]) = (real[swapped], real[index])
                (imaginary[index], imaginary[swapped]) = (imaginary[swapped], imaginary[index])
            }
        }
        var length = 2
        while length <= count {
            let step = count / length
            for start in stride(from: 0, to: count, by: length) {
                for index in 0..<length / 2 {
                    let (c, s) = (cosine[index * step], -sine[index * step])
                    let (low, high) = (start + index, start + index + length / 2)
                    let x = real[high] * c - imaginary[high] * s
                    let y = real[high] * s + imaginary[high] * c
                    (real[high], imaginary[high]) = (real[low] - x, imaginary[low] - y)
                    (real[low], imaginary[low]) = (real[low] + x, imaginary[low] + y)
                }
            }
            length *= 2
        }
    }
}
