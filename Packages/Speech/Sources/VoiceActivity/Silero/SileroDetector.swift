// SPDX-License-Identifier: MIT

/// The Silero network computed in Swift, without a runtime: finds the 10 ms frames of 16 kHz sound that hold speech.
///
/// The network processes chunks of 512 samples (32 ms) and returns one probability each; it remembers the sound before
/// (about a second matters). A frame of 10 ms takes the probability of the chunk with its middle sample: frame *f* that
/// of chunk ⌊(160·*f* + 80) / 512⌋. So a frame is known 2 to 32 ms after its middle, and nothing is interpolated. The
/// last, incomplete chunk of a stream is filled up with silence.
///
/// Samples outside −1…1 are clipped and those that are not numbers become silence, as in a converter to 16 bit, so that
/// no input can spoil later results. Equal to onnxruntime within 5e-5.
public struct SileroDetector: VoiceActivityDetector, Sendable {
    /// 16 kHz.
    public static let sampleRate = 16_000
    /// The number of samples in a chunk of the network.
    public static let chunkLength = 512

    static let frameLength = 160
    private static let contextLength = 64

    private let network: SileroNetwork
    private let basis = FourierBasis()
    /// The 64 samples before the chunk, the chunk, and the mirrored end that the last window needs.
    private var sound: [Float]
    private var filled = 0
    /// The features, then the hidden state: the input of the LSTM cell.
    private var cellInput: [Float]
    private var cellState: [Lanes]
    private var scratch = Scratch()
    private var chunks = 0
    private var frames = 0

    /// Makes a detector for one stream.
    public init(weights: SileroWeights) {
        network = weights.network
        sound = [Float](repeating: 0, count: Self.contextLength + Self.chunkLength + Self.contextLength)
        cellInput = [Float](repeating: 0, count: 2 * SileroNetwork.hidden)
        cellState = [Lanes](repeating: .zero, count: SileroNetwork.hidden / 8)
    }

    /// See ``VoiceActivityDetector``.
    public mutating func process(_ samples: [Float]) -> [Float] {
        var result: [Float] = []
        process(samples) { probability, frames in
            for _ in 0..<frames { result.append(probability) }
        }
        return result
    }

    /// Processes the next samples and returns the network's own probability of each chunk of 512 that is now complete:
    /// for comparison with other implementations.
    public mutating func processChunks(_ samples: [Float]) -> [Float] {
        var result: [Float] = []
        process(samples) { probability, _ in result.append(probability) }
        return result
    }

    /// See ``VoiceActivityDetector``.
    public mutating func finish() -> [Float] {
        let heard = chunks * Self.chunkLength + filled
        let owed = (heard + Self.frameLength / 2) / Self.frameLength - frames
        defer { reset() }
        guard owed > 0 else { return [] }
        let silence = [Float](repeating: 0, count: Self.chunkLength - filled)
        return Array(process(silence).prefix(owed))
    }

    /// See ``VoiceActivityDetector``.
    public mutating func reset() {
        for index in sound.indices { sound[index] = 0 }
        for index in cellInput.indices { cellInput[index] = 0 }
        for index in cellState.indices { cellState[index] = .zero }
        (filled, chunks, frames) = (0, 0, 0)
    }

    private mutating func process(_ samples: [Float], _ take: (_ probability: Float, _ frames: Int) -> Void) {
        for sample in samples {
            sound[Self.contextLength + filled] = sample.clippedSample
            filled += 1
            guard filled == Self.chunkLength else { continue }
            let probability = infer()
            filled = 0
            chunks += 1
            let known = (chunks * Self.chunkLength + Self.frameLength / 2 - 1) / Self.frameLength
            take(probability, known - frames)
            frames = known
        }
    }

    /// Runs the network over the chunk and keeps its end as the next one's context.
    private mutating func infer() -> Float {
        let end = Self.contextLength + Self.chunkLength
        for index in 0..<Self.contextLength { sound[end + index] = sound[end - 2 - index] }
        scratch.run(network, basis, sound, &cellInput, &cellState)
        for index in 0..<Self.contextLength { sound[index] = sound[Self.chunkLength + index] }
        var sum = network.outputBias
        for index in 0..<SileroNetwork.hidden {
            sum += network.outputWeights[index] * max(0, cellInput[SileroNetwork.hidden + index])
        }
        guard sum.isFinite else {
            // Only nonsensical weights lead here; their results must not stay.
            for index in cellInput.indices { cellInput[index] = 0 }
            for index in cellState.indices { cellState[index] = .zero }
            return 0
        }
        return Lanes(repeating: sum).sigmoid[0]
    }
}
