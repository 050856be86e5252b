// SPDX-License-Identifier: MIT

import CPocketSphinx

/// Turns sound into mel-frequency cepstra, 100 frames a second. Belongs to a decoder and lives no longer than it.
struct FrontEnd {
    private let frontEnd: OpaquePointer
    let dimensions: Int

    init(_ frontEnd: OpaquePointer) {
        self.frontEnd = frontEnd
        dimensions = Int(fe_get_output_size(frontEnd))
    }

    func begin() -> Bool {
        fe_start_stream(frontEnd)
        return fe_start_utt(frontEnd) == 0
    }

    /// The frames that `samples` complete, 16 kHz; what is left over waits inside.
    func process(_ samples: [Int16]) -> [Float] {
        let capacity = samples.count / 160 + 8
        var cepstra = [Float](repeating: 0, count: capacity * dimensions)
        var frames = Int32(capacity)
        let isDone = samples.withUnsafeBufferPointer { samples in
            cepstra.withUnsafeMutableBufferPointer { cepstra in
                var cursor = samples.baseAddress
                var count = samples.count
                var index: Int32 = 0
                var rows = (0..<capacity).map { row in cepstra.baseAddress.map { $0 + row * dimensions } }
                return fe_process_frames(frontEnd, &cursor, &count, &rows, &frames, &index) == 0
            }
        }
        return isDone ? Array(cepstra[..<(Int(frames) * dimensions)]) : []
    }
}

/// The cepstra of an utterance, row by row.
struct Cepstra: Sendable {
    private let dimensions: Int
    private var values: [Float] = []

    init(dimensions: Int) { self.dimensions = dimensions }

    var frameCount: Int { values.count / dimensions }

    mutating func append(_ frames: [Float]) { values += frames }

    /// With the mean over the utterance taken away: this is what makes the recogniser bear noise and other microphones.
    /// (PocketSphinx's own running mean starts from a fixed guess, which costs a tenth of the accuracy at 20 dB.)
    func normalized() -> Cepstra {
        guard frameCount > 0 else { return self }
        var means = [Float](repeating: 0, count: dimensions)
        for index in values.indices { means[index % dimensions] += values[index] }
        for index in means.indices { means[index] /= Float(frameCount) }
        var result = self
        for index in values.indices { result.values[index] -= means[index % dimensions] }
        return result
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
