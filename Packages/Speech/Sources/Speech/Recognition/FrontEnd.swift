// SPDX-License-Identifier: MIT

import CPocketSphinx

/// Turns sound into mel-frequency cepstra, 100 frames a second.
///
/// SAFETY: used by one thread at a time, like the decoder that it is made by.
final class FrontEnd: @unchecked Sendable {
    private let frontEnd: OpaquePointer
    let dimensions: Int

    init(_ frontEnd: OpaquePointer) {
        self.frontEnd = frontEnd
        dimensions = Int(fe_get_output_size(frontEnd))
    }

    deinit { fe_free(frontEnd) }

    /// The frames of a whole utterance, 16 kHz; nil when the library gives up.
    func cepstra(of samples: [Int16]) -> Cepstra? {
        guard begin() else { return nil }
        return next(samples)
    }

    /// Begins a stream; false when the library gives up.
    func begin() -> Bool {
        fe_start_stream(frontEnd)
        return fe_start_utt(frontEnd) == 0
    }

    /// The frames that are complete with the stream's next samples; nil when the library gives up.
    func next(_ samples: [Int16]) -> Cepstra? {
        // The library holds the first frames of a stream back, and then gives them all at once.
        let capacity = samples.count / 160 + 40
        var values = [Float](repeating: 0, count: capacity * dimensions)
        var frames = Int32(capacity)
        let isDone = samples.withUnsafeBufferPointer { samples in
            values.withUnsafeMutableBufferPointer { values in
                var cursor = samples.baseAddress
                var count = samples.count
                var index: Int32 = 0
                var rows = (0..<capacity).map { row in values.baseAddress.map { $0 + row * dimensions } }
                return fe_process_frames(frontEnd, &cursor, &count, &rows, &frames, &index) == 0
            }
        }
        guard isDone else { return nil }
        return Cepstra(dimensions: dimensions, values: Array(values[..<(Int(frames) * dimensions)]))
    }
}

/// The cepstra of an utterance, row by row.
struct Cepstra: Sendable {
    let dimensions: Int
    private(set) var values: [Float]

    init(dimensions: Int, values: [Float]) {
        self.dimensions = dimensions
        self.values = values
    }

    var frameCount: Int { values.count / dimensions }

    /// With the mean over the utterance taken away: this is what makes the recogniser bear noise and other microphones.
    /// (PocketSphinx's own running mean starts from a fixed guess, which costs a tenth of the accuracy at 20 dB.)
    ///
    /// In noise the mean is taken over more background than the utterance has, as if it lay in a longer recording.
    func normalized() -> Cepstra {
        guard frameCount > 0 else { return self }
        var means = [Float](repeating: 0, count: dimensions)
        for index in values.indices { means[index % dimensions] += values[index] }
        let background = background()
        for index in means.indices {
            means[index] += background.weight * background.cepstrum[index]
            means[index] /= Float(frameCount) + background.weight
        }
        return subtracting(means)
    }

    /// With `row` taken away from each row.
    func subtracting(_ row: [Float]) -> Cepstra {
        var result = self
        for index in values.indices { result.values[index] -= row[index % dimensions] }
        return result
    }

    /// The mean of the quietest frames, and how many frames of it to add: none for a clean recording, where speech
    /// stands more than 60 (of the zeroth cepstrum) above it, up to 120 for a noisy one (measured; more helps no further).
    private func background() -> (cepstrum: [Float], weight: Float) {
        let energies = (0..<frameCount).map { values[$0 * dimensions] }
        let quietest = energies.indices.sorted { energies[$0] < energies[$1] }.prefix(15)
        var cepstrum = [Float](repeating: 0, count: dimensions)
        for frame in quietest {
            for index in cepstrum.indices {
                cepstrum[index] += values[frame * dimensions + index] / Float(quietest.count)
            }
        }
        let range = (energies.max() ?? 0) - (energies.min() ?? 0)
        return (cepstrum, 120 * min(1, max(0, (60 - range) / 25)))
    }

    /// Lends the rows as C wants them.
    func withRows<Result>(_ body: (UnsafeMutableBufferPointer<UnsafeMutablePointer<Float>?>) -> Result) -> Result {
        var copy = values
        return copy.withUnsafeMutableBufferPointer { values in
            var rows = (0..<frameCount).map { row in values.baseAddress.map { $0 + row * dimensions } }
            return rows.withUnsafeMutableBufferPointer { body($0) }
        }
    }
}
