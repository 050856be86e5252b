// SPDX-License-Identifier: MIT

/// Mixes input channels into output channels. An immutable value, shareable.
public struct ChannelMatrix: Sendable, Hashable {
    /// Channels of the input, 1 or more.
    public let inputs: Int
    /// Channels of the output, 1…8.
    public let outputs: Int
    /// The gains, outputs × inputs, row after row.
    public let gains: [Float]

    /// The gains of each input in all outputs, as a vector.
    private let columns: [SIMD8<Float>]

    /// Makes a matrix of `rows`, one per output (1…8 of them), each with a gain for each input.
    public init(_ rows: [[Float]]) {
        let inputs = rows.first?.count ?? 0
        precondition((1...8).contains(rows.count) && inputs > 0 && rows.allSatisfy { $0.count == inputs })
        self.inputs = inputs
        outputs = rows.count
        gains = rows.flatMap { $0 }
        columns = (0..<inputs).map { input in
            var column = SIMD8<Float>(repeating: 0)
            for (output, row) in rows.enumerated() { column[output] = row[input] }
            return column
        }
    }

    /// One channel on both sides, each as loud as the original.
    public static let monoToStereo = ChannelMatrix([[1], [1]])
    /// The mean of both sides.
    public static let stereoToMono = ChannelMatrix([[0.5, 0.5]])
    /// 5.1 in the order left, right, centre, low frequencies, left surround, right surround (SMPTE, WAV) to stereo by
    /// ITU-R BS.775-3, annex 4: centre and surround at −3 dB, low frequencies dropped. Loud sound can pass full scale:
    /// scale it (`scaled(by:)`) or limit it afterwards.
    public static let surround51ToStereo = ChannelMatrix([
        [1, 0, 0.707_106_77, 0, 0.707_106_77, 0], [0, 1, 0.707_106_77, 0, 0, 0.707_106_77],
    ])

    /// The mean of all `inputs` on each of `outputs`.
    public static func mean(of inputs: Int, to outputs: Int) -> ChannelMatrix {
        ChannelMatrix([[Float]](repeating: [Float](repeating: 1 / Float(inputs), count: inputs), count: outputs))
    }

    /// All gains multiplied by `factor`.
    public func scaled(by factor: Float) -> ChannelMatrix {
        ChannelMatrix(
            (0..<outputs).map { row in gains[row * inputs..<(row + 1) * inputs].map { $0 * factor } })
    }

    /// Mixes `source` (interleaved, frames × `inputs`) into `target` (interleaved, frames × `outputs`): as many whole
    /// frames as both hold. The two must not overlap. Allocates nothing.
    public func apply(_ source: UnsafeBufferPointer<Float>, into target: UnsafeMutableBufferPointer<Float>) {
        let frames = min(source.count / inputs, target.count / outputs)
        guard frames > 0, let source = source.baseAddress, let target = target.baseAddress else { return }
        var frame = 0
        switch (inputs, outputs) {
        case (1, 2):
            let (left, right) = (gains[0], gains[1])
            while frame + 4 <= frames {
                let mono = source.vector(frame)
                target.store((mono * left).zipped(with: mono * right), 2 * frame)
                frame += 4
            }
        case (2, 1):
            let (left, right) = (gains[0], gains[1])
            while frame + 4 <= frames {
                let pairs = source.vector8(2 * frame)
                target.store(pairs.evenHalf * left + pairs.oddHalf * right, frame)
                frame += 4
            }
        default:
            // A store of eight values reaches into the following frames, which are written after it.
            let reach = (outputs <= 4 ? 4 : 8) / outputs + 1
            columns.withUnsafeBufferPointer { columns in
                while frame + reach <= frames {
                    let samples = source + frame * inputs
                    if outputs <= 4 {
                        var sums = SIMD4<Float>(repeating: 0)
                        for input in 0..<inputs { sums += columns[input].lowHalf * samples[input] }
                        target.store(sums, frame * outputs)
                    } else {
                        var sums = SIMD8<Float>(repeating: 0)
                        for input in 0..<inputs { sums += columns[input] * samples[input] }
                        target.store(sums, frame * outputs)
                    }
                    frame += 1
                }
            }
        }
        gains.withUnsafeBufferPointer { gains in
            while frame < frames {
                for output in 0..<outputs {
                    var sum: Float = 0
                    for input in 0..<inputs { sum += source[frame * inputs + input] * gains[output * inputs + input] }
                    target[frame * outputs + output] = sum
                }
                frame += 1
            }
        }
    }
}
