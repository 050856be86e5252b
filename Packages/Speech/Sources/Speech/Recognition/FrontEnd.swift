// SPDX-License-Identifier: MIT

import CPocketSphinx

/// Turns sound into mel-frequency cepstra, 100 frames a second.
///
/// SAFETY: used by one thread at a time, like the decoder that makes it.
final class FrontEnd: @unchecked Sendable {
    private let frontEnd: OpaquePointer
    let dimensions: Int

    init(_ frontEnd: OpaquePointer) {
        self.frontEnd = frontEnd
        dimensions = Int(fe_get_output_size(frontEnd))
    }

    deinit { fe_free(frontEnd) }

    /// The frames of a whole utterance, 16 kHz; nil if the library fails.
    func cepstra(of samples: [Int16]) -> Cepstra? {
        guard begin() else { return nil }
        return next(samples)
    }

    /// Begins a stream; false if the library fails.
    func begin() -> Bool {
        fe_start_stream(frontEnd)
        return fe_start_utt(frontEnd) == 0
    }

    /// The frames that the stream's next samples complete; nil if the library fails.
    func next(_ samples: [Int16]) -> Cepstra? {
        // The library holds back the first frames of a stream, and then returns them all at once.
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

    /// Subtracts the mean over the utterance: this makes the recogniser robust against noise and other microphones.
    /// (PocketSphinx's own running mean starts from a fixed guess, which costs a tenth of the accuracy at 20 dB.)
    ///
    /// In noise the mean covers more background than the utterance has, as if it were part of a longer recording.
    func normalized() -> Cepstra { subtracting(mean()) }

    /// The mean that ``normalized()`` subtracts; zeros for no frames.
    func mean() -> [Float] {
        guard frameCount > 0 else { return [Float](repeating: 0, count: dimensions) }
        var means = [Float](repeating: 0, count: dimensions)
        for index in values.indices { means[index % dimensions] += values[index] }
        let background = background()
        for index in means.indices {
            means[index] += background.weight * background.cepstrum[index]
            means[index] /= Float(frameCount) + background.weight
        }
        return means
    }

    /// The noise of the recording: 0 for a clean one, 120 for a noisy one.
    var noise: Float { frameCount > 0 ? background().weight : 0 }

    /// Adds the frames that follow.
    mutating func append(_ other: Cepstra) { values += other.values }

    /// The frames from one on.
    func frames(from first: Int) -> Cepstra {
        Cepstra(dimensions: dimensions, values: Array(values[(first * dimensions)...]))
    }

    /// Subtracts `row` from each row.
    func subtracting(_ row: [Float]) -> Cepstra {
        var result = self
        for index in values.indices { result.values[index] -= row[index % dimensions] }
        return result
    }

    /// The mean of the quietest frames, and the number of such frames to add: 0 for a clean recording, where speech is
    /// more than 60 (of the zeroth cepstrum) above it, up to 120 for a noisy one (measured; more does not help).
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

    /// Passes the rows in C's layout.
    func withRows<Result>(_ body: (UnsafeMutableBufferPointer<UnsafeMutablePointer<Float>?>) -> Result) -> Result {
        var copy = values
        return copy.withUnsafeMutableBufferPointer { values in
            var rows = (0..<frameCount).map { row in values.baseAddress.map { $0 + row * dimensions } }
            return rows.withUnsafeMutableBufferPointer { body($0) }
        }
    }
}
