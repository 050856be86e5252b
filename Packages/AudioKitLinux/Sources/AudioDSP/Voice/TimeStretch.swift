// SPDX-License-Identifier: MIT
internal import Glibc

/// Changes the speed of a voice, and neither its pitch nor its timbre: WSOLA (W. Verhelst and M. Roelands, ICASSP 1993).
///
/// Blocks of 12.5 ms are taken from the input at `rate` times their own distance, each moved by up to 8.5 ms to where it
/// goes on best from the block before, and cross-faded. No block is altered, so consonants stay sharp. Two voices at
/// once, or music, sound rougher than one voice.
///
/// The result is the same however the stream is cut: n input frames give exactly `outputFrames(for: n)` in all.
/// At a rate of 1 samples pass unchanged and at once. Values that are not finite become 0. One stream at a time;
/// `process` and `finish` allocate nothing.
public struct TimeStretch: Sendable {
    /// The rates: 2 is twice as fast.
    public static let rates = 0.5...2.0

    /// The speed as a factor of the input's.
    public let rate: Double
    /// Samples per frame.
    public let channels: Int
    /// The most input frames that are held back until `finish`; 0 at a rate of 1.
    public let latency: Int

    /// Frames of a block.
    private let block: Int
    /// The most frames that a block is moved by.
    private let reach: Int
    /// The distance of the places that are compared first.
    private let step: Int
    /// The rising half of the cross-fade.
    private let fade: [Float]
    private var input: SlidingInput
    /// The number of the next block.
    private var number = 0
    /// The input frame at which the block before goes on.
    private var continuation = 0
    private var written = 0

    /// A stretcher at the start of a stream.
    ///
    /// - Throws: ``AudioDSPError`` with `factor` or `format`.
    public init(rate: Double, sampleRate: Double, channels: Int = 1) throws(AudioDSPError) {
        try AudioDSPError.check("rate", rate, in: Self.rates, sampleRate: sampleRate, channels: channels)
        (self.rate, self.channels) = (rate, channels)
        block = Int((sampleRate / 80).rounded())
        reach = Int((sampleRate * 0.0085).rounded())
        step = max(1, Int(sampleRate / 16_000))
        let length = Float(block)
        fade = (0..<block).map { 0.5 - 0.5 * cos((Float($0) + 0.5) * .pi / length) }
        latency = rate == 1 ? 0 : reach + 2 * block + Int((rate * Double(block)).rounded(.up)) + 1
        input = SlidingInput(channels: channels, lead: 0, capacity: rate == 1 ? 0 : 4 * (2 * reach + 5 * block))
    }

    /// The number of frames that `frames` input frames become in all.
    public func outputFrames(for frames: Int) -> Int { Int((Double(frames) / rate).rounded()) }

    /// The most frames that one call writes: of `process` with `frames` input frames, or of `finish` with 0.
    public func capacity(for frames: Int) -> Int { outputFrames(for: frames + latency) + block }

    /// Returns to the start of a stream.
    public mutating func reset() {
        input.reset()
        (number, continuation, written) = (0, 0, 0)
    }

    /// Takes `samples` (interleaved, whole frames) and writes what is ready.
    ///
    /// - Parameter output: Room for ``capacity(for:)`` frames.
    /// - Returns: The number of frames written.
    public mutating func process(
        _ samples: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
    ) -> Int {
        let frames = samples.count / channels
        guard frames > 0, let source = samples.baseAddress else { return 0 }
        precondition(output.count / channels >= (rate == 1 ? frames : capacity(for: frames)))
        guard let target = output.baseAddress else { return 0 }
        if rate == 1 {
            for index in 0..<frames * channels { target[index] = source[index].isFinite ? source[index] : 0 }
            return frames
        }
        let before = written
        var taken = 0
        while taken < frames {
            taken += input.append(source + taken * channels, frames: frames - taken)
            while hasBlock { writeBlock(target + (written - before) * channels, frames: block) }
        }
        return written - before
    }

    /// Ends the stream, writes the rest, and returns to the start of a stream.
    ///
    /// - Parameter output: Room for ``capacity(for:)`` frames of 0.
    /// - Returns: The number of frames written.
    public mutating func finish(into output: UnsafeMutableBufferPointer<Float>) -> Int {
        defer { reset() }
        let rest = outputFrames(for: input.end) - written
        guard rest > 0, rate != 1 else { return 0 }
        precondition(output.count / channels >= rest)
        guard let target = output.baseAddress else { return 0 }
        let before = written
        while written - before < rest {
            while !hasBlock { _ = input.append(nil, frames: block) }
            writeBlock(target + (written - before) * channels, frames: min(block, rest - (written - before)))
        }
        return rest
    }

    /// The input frame at which the next block begins if it is not moved.
    private var origin: Int { Int((Double(number * block) * rate).rounded()) }

    private var hasBlock: Bool { input.end >= origin + reach + 2 * block }

    private mutating func writeBlock(_ target: UnsafeMutablePointer<Float>, frames: Int) {
        let (old, new) = (continuation, place())
        let (fade, channels) = (fade, channels)
        input.withSamples { samples in
            let (old, new) = (samples + old * channels, samples + new * channels)
            for frame in 0..<frames {
                let weight = fade[frame]
                for index in frame * channels..<(frame + 1) * channels {
                    target[index] = old[index] + weight * (new[index] - old[index])
                }
            }
        }
        written += frames
        number += 1
        continuation = new + block
        input.discard(before: min(continuation, origin - reach))
    }

    /// The input frame at which the next block begins: where the input is most like what would follow the block before,
    /// at any volume. Without likeness, in silence say, it is not moved.
    private func place() -> Int {
        let (origin, block, step) = (origin, block, step)
        let (low, high) = (max(0, origin - reach), origin + reach)
        let old = continuation
        return input.withMono { mono in
            func likeness(_ place: Int) -> Float {
                let new = mono + place
                let (product, energy) = (new.dot(mono + old, block), new.dot(new, block))
                return energy > 1e-12 ? product * abs(product) / energy : 0
            }
            var (best, most) = (origin, likeness(origin))
            func tryPlaces(_ places: StrideTo<Int>) {
                for place in places {
                    let value = likeness(place)
                    if value > most { (best, most) = (place, value) }
                }
            }
            tryPlaces(stride(from: low, to: high + 1, by: step))
            if step > 1 {
                tryPlaces(stride(from: max(low, best - step + 1), to: min(high, best + step - 1) + 1, by: 1))
            }
            return best
        } ?? origin
    }
}

extension TimeStretch {
    /// `process`, which takes and returns arrays and allocates.
    public mutating func process(_ samples: [Float]) -> [Float] {
        let count = capacity(for: samples.count / channels) * channels
        return [Float](unsafeUninitializedCapacity: count) { target, written in
            written = samples.withUnsafeBufferPointer { process($0, into: target) } * channels
        }
    }

    /// `finish`, which returns an array and allocates.
    public mutating func finish() -> [Float] {
        [Float](unsafeUninitializedCapacity: capacity(for: 0) * channels) { target, written in
            written = finish(into: target) * channels
        }
    }
}
