// SPDX-License-Identifier: MIT
internal import Glibc

/// A spectrum for display: bars of equal width in pitch, in decibels, that rise fast and fall slowly.
///
/// A full-scale sine is about 0 dB in its bar, at any frequency. One stream at a time; `add` allocates nothing.
public struct SpectrumBars: Sendable {
    /// Samples of each transform.
    public let size: Int
    /// The lowest value of a bar, in decibels.
    public let floor: Float
    /// The upper edge of each bar in hertz; the lower one is that of the bar before, or the lowest frequency.
    public let edges: [Double]
    /// The bars' heights in decibels, from `floor` to about 0.
    public private(set) var levels: [Float]

    private let plan: RealFFT
    private let window: [Float]
    private let bins: [Range<Int>]
    private let scale: Float
    private let rise: Float
    private let fall: Float
    private var scratch: [Float]

    /// Makes `count` bars between `frequencies` (hertz) from transforms of `size` samples (a size of `RealFFT`).
    ///
    /// `rise` and `fall` (0…1) are the share of the old height that remains when the new one is above or below. A bar
    /// narrower than a bin shows the bin that contains it. There is at least one bar; rate and frequencies are above 0.
    public init(
        count: Int, sampleRate: Double, size: Int = 2_048, frequencies: ClosedRange<Double> = 40...16_000,
        floor: Float = -90, rise: Float = 0, fall: Float = 0.8
    ) {
        precondition(count > 0 && sampleRate > 0 && frequencies.lowerBound > 0)
        self.size = size
        self.floor = floor
        self.rise = rise
        self.fall = fall
        plan = RealFFT(size: size)
        window = Window.hann.weights(size)
        let top = min(frequencies.upperBound, sampleRate / 2)
        let ratio = top / frequencies.lowerBound
        edges = (1...count).map { frequencies.lowerBound * pow(ratio, Double($0) / Double(count)) }
        let binWidth = sampleRate / Double(size)
        var lower = frequencies.lowerBound
        bins = edges.map { upper in
            let first = min(size / 2, Int((lower / binWidth).rounded()))
            let end = min(size / 2 + 1, max(first + 1, Int((upper / binWidth).rounded())))
            lower = upper
            return first..<end
        }
        let sum = window.reduce(0, +)
        scale = 4 / (sum * sum)
        levels = [Float](repeating: floor, count: count)
        scratch = [Float](repeating: 0, count: 2 * size + 2 * plan.binCount)
    }

    /// Moves the bars towards the spectrum of `samples` (at least `size` of them, mono).
    public mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        precondition(samples.count >= size)
        let (size, count) = (size, plan.binCount)
        scratch.withUnsafeMutableBufferPointer { scratch in
            let weighed = UnsafeMutableBufferPointer(rebasing: scratch[0..<size])
            let workspace = UnsafeMutableBufferPointer(rebasing: scratch[size..<2 * size])
            let real = UnsafeMutableBufferPointer(rebasing: scratch[2 * size..<2 * size + count])
            let imaginary = UnsafeMutableBufferPointer(rebasing: scratch[(2 * size + count)...])
            window.withUnsafeBufferPointer { Spectrum.weigh(samples, by: $0, into: weighed) }
            plan.forward(UnsafeBufferPointer(weighed), real: real, imaginary: imaginary, workspace: workspace)
            Spectrum.power(real: UnsafeBufferPointer(real), imaginary: UnsafeBufferPointer(imaginary), into: real)
            for (bar, range) in bins.enumerated() {
                var power: Float = 0
                for bin in range { power = max(power, real[bin]) }
                let level = Decibels.ofPower(power * scale, floor: floor)
                let old = levels[bar]
                levels[bar] = level + (old - level) * (level > old ? rise : fall)
            }
        }
    }

    /// Sets all bars to `floor`.
    public mutating func reset() {
        for bar in levels.indices { levels[bar] = floor }
    }
}
