// SPDX-License-Identifier: MIT

internal import AudioDSP
internal import VoiceActivity

/// Listens to the sound of a candidate for the phrases that a network was trained for by `Scripts/train-wake-word`.
struct PhraseNetwork: Sendable {
    /// The phrases of the network's classes, in order.
    private static let phrases = [["HH", "EY", "JH", "AA", "R", "V", "AH", "S"], ["JH", "AA", "R", "V", "AH", "S"]]

    /// The number of frames of sound before and after the middle of a candidate that it listens to.
    static let reach = 80

    private let network: TemporalNetwork
    private let phrase: Int

    /// Nil if the network does not know the phrase of these phones.
    init?(for phones: [String]) {
        guard let phrase = Self.phrases.firstIndex(of: phones), let network = Self.network else { return nil }
        self.phrase = phrase
        self.network = network
    }

    private static let network = TemporalNetwork(
        PhraseWeights.shapes, weights: PhraseWeights.weights, scales: PhraseWeights.scales,
        biases: PhraseWeights.biases)

    /// The logarithm of the odds that the phrase is somewhere in the sound; nil for less than one frame of it.
    func score(_ sound: [Float]) -> Double? {
        let features = PhraseFeatures.frames(of: sound)
        return features.isEmpty ? nil : Double(network.scores(features)[phrase])
    }
}

/// The network's input: log-mel spectra less their mean over the sound, which takes level and colour of the microphone
/// and of steady noise away. `Scripts/train-wake-word.d/sound.py` computes the same.
enum PhraseFeatures {
    static let bands = 40
    private static let length = 400
    private static let hop = 160
    /// Values further below the loudest one, in powers of ten, count as silence.
    private static let depth: Float = 4
    private static let spectrum = LogMel(
        frameLength: length, hop: hop, filters: MelFilterBank(bands: bands, sampleRate: 16_000, fftSize: length))

    /// Frames × bands; one frame each 10 ms of whole 25 ms.
    static func frames(of sound: [Float]) -> [Float] {
        guard sound.count >= length else { return [] }
        let count = (sound.count - length) / hop + 1
        var values = [Float](repeating: 0, count: count * bands)
        var workspace = [Float](repeating: 0, count: spectrum.workspaceCount)
        sound.withUnsafeBufferPointer { sound in
            values.withUnsafeMutableBufferPointer { values in
                workspace.withUnsafeMutableBufferPointer { workspace in
                    for frame in 0..<count {
                        spectrum.frame(
                            UnsafeBufferPointer(rebasing: sound[(frame * hop)..<(frame * hop + length)]),
                            into: UnsafeMutableBufferPointer(rebasing: values[(frame * bands)..<((frame + 1) * bands)]),
                            workspace: workspace)
                    }
                }
            }
        }
        let lowest = (values.max() ?? 0) - depth
        for band in 0..<bands {
            let places = stride(from: band, to: values.count, by: bands)
            for place in places { values[place] = max(values[place], lowest) }
            let mean = places.reduce(Float(0)) { $0 + values[$1] } / Float(count)
            for place in places { values[place] -= mean }
        }
        return values
    }
}
