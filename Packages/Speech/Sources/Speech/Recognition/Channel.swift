// SPDX-License-Identifier: MIT

/// A person's sound at a microphone in a room: the level and the mean cepstrum, by which it is normalised before it is decoded.
struct Channel: Sendable {
    /// The scale of the samples, at which the mean was taken.
    let gain: Float
    /// See `Cepstra.mean()`.
    let mean: [Float]
    /// See `Cepstra.noise`.
    let noise: Float
    /// The number of frames in the mean.
    let frames: Int

    /// The standard deviations of normalised cepstra: six synthetic voices, clean and at 20 dB.
    private static let deviations: [Float] = [
        14.1, 16.7, 12.5, 17.3, 14.9, 11.2, 12.6, 12.8, 12.2, 10.9, 9.7, 9.3, 9.2,
    ]
    /// Up to this distance, in standard deviations, an utterance is understood as well by the mean of others as by its own.
    private static let mostDistance: Float = 0.4
    private static let gainRatios: ClosedRange<Float> = 0.5...2
    /// The greatest difference in noise. Noisy sound is understood much worse by a mean without the noise, even by a near one:
    /// 80 instead of 120 of 190 utterances at 20 dB.
    private static let mostNoiseDifference: Float = 40

    /// True if an utterance of this channel can be decoded by the level and mean of the other one.
    ///
    /// - Parameter ownGain: The gain that suits the utterance best.
    func fits(_ other: Channel, ownGain: Float) -> Bool {
        guard gain == other.gain, Self.gainRatios.contains(ownGain / gain),
            abs(noise - other.noise) <= Self.mostNoiseDifference, mean.count == Self.deviations.count
        else { return false }
        var sum: Float = 0
        for (index, deviation) in Self.deviations.enumerated() {
            let distance = (mean[index] - other.mean[index]) / deviation
            sum += distance * distance
        }
        return sum <= Self.mostDistance * Self.mostDistance * Float(mean.count)
    }
}

/// The channel of the last utterances that were understood.
struct KnownChannel: Sendable {
    private static let most = 3

    private var last: [Channel] = []

    /// The mean of the last three, by their lengths; nil before the first one.
    var channel: Channel? {
        guard let first = last.first else { return nil }
        let frames = last.reduce(0) { $0 + $1.frames }
        func average(_ value: (Channel) -> Float) -> Float {
            last.reduce(0) { $0 + value($1) * Float($1.frames) } / Float(frames)
        }
        return Channel(
            gain: first.gain, mean: first.mean.indices.map { index in average { $0.mean[index] } },
            noise: average(\.noise), frames: frames)
    }

    /// Adds an utterance's channel. One at another gain is of another person or place, and makes those before worthless.
    mutating func observe(_ channel: Channel) {
        guard channel.frames > 0 else { return }
        if last.first?.gain != channel.gain { last = [] }
        last = last.suffix(Self.most - 1) + [channel]
    }
}
