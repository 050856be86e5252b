// SPDX-License-Identifier: MIT

/// A small network over the frames of a sound: convolutions over time with ReLU, then one score for each class.
///
/// The last layer gives each place its scores; the result is their mean, weighted by the softmax over the places, so
/// that a class needs to be heard at one place only. Any number of frames goes in.
package struct TemporalNetwork: Sendable {
    /// The shape of a layer: how many neighbouring places it reads (odd), at which distance, and which places it keeps.
    package struct Shape: Sendable, Hashable {
        let inputs: Int
        let outputs: Int
        let taps: Int
        let stride: Int
        let dilation: Int

        package init(inputs: Int, outputs: Int, taps: Int, stride: Int = 1, dilation: Int = 1) {
            self.inputs = inputs
            self.outputs = outputs
            self.taps = taps
            self.stride = stride
            self.dilation = dilation
        }
    }

    private let layers: [(shape: Shape, table: LaneTable)]

    /// Reads weights that `Scripts/train-wake-word` wrote: for each layer and each output one character for each tap
    /// and input, its code less 80 times the output's scale. Line breaks are skipped. Nil if there are too few or too
    /// many characters or numbers, or invalid ones.
    package init?(_ shapes: [Shape], weights: StaticString, scales: [Float], biases: [Float]) {
        let levels = weights.withUTF8Buffer { $0.filter { $0 != 10 }.map { Int($0) - 80 } }
        let outputs = shapes.reduce(0) { $0 + $1.outputs }
        guard levels.count == shapes.reduce(0, { $0 + $1.outputs * $1.taps * $1.inputs }),
            levels.allSatisfy({ abs($0) <= Self.greatestLevel }), scales.count == outputs, biases.count == outputs,
            scales.allSatisfy(\.isFinite), biases.allSatisfy(\.isFinite),
            zip(shapes, shapes.dropFirst()).allSatisfy({ $0.outputs == $1.inputs })
        else { return nil }
        var layers: [(Shape, LaneTable)] = []
        var (level, output) = (0, 0)
        for shape in shapes {
            let inputs = shape.taps * shape.inputs
            // The kernel takes two blocks of eight at a time.
            let padded = (shape.outputs + 15) / 16 * 16
            let known = biases[output..<(output + shape.outputs)]
            let (first, row) = (level, output)
            let table = LaneTable(
                outputs: padded, inputs: inputs,
                bias: known + [Float](repeating: 0, count: padded - shape.outputs)
            ) { lane, input in
                lane < shape.outputs ? Float(levels[first + lane * inputs + input]) * scales[row + lane] : 0
            }
            layers.append((shape, table))
            level += shape.outputs * inputs
            output += shape.outputs
        }
        self.layers = layers
    }

    private static let greatestLevel = 45

    /// The score of each class, the logarithm of its odds.
    ///
    /// - Parameter frames: Frames × inputs of the first layer, frame after frame; at least one frame.
    package func scores(_ frames: [Float]) -> [Float] {
        var values = frames
        for (index, layer) in layers.enumerated() {
            values = layer.table.convolve(values, layer.shape, isRectified: index < layers.count - 1)
        }
        let classes = layers.last?.shape.outputs ?? 0
        return (0..<classes).map { index in
            Self.softMaximum(stride(from: index, to: values.count, by: classes).map { values[$0] })
        }
    }

    /// The mean of the values, weighted by their softmax.
    private static func softMaximum(_ values: [Float]) -> Float {
        let greatest = values.max() ?? 0
        var (sum, weights): (Float, Float) = (0, 0)
        for value in values {
            // e to the x is s / (1 - s) for the sigmoid s; x is 0 or less.
            let share = Lanes(repeating: max(value - greatest, -30)).sigmoid[0]
            let weight = share / (1 - share)
            sum += weight * value
            weights += weight
        }
        return weights > 0 ? sum / weights : 0
    }
}

extension LaneTable {
    /// One layer: zeros stand before the first place and after the last.
    fileprivate func convolve(_ values: [Float], _ shape: TemporalNetwork.Shape, isRectified: Bool) -> [Float] {
        let channels = shape.inputs
        let places = values.count / channels
        let margin = shape.dilation * (shape.taps / 2)
        let count = (places + shape.stride - 1) / shape.stride
        let zeros = [Float](repeating: 0, count: margin * channels)
        let padded = zeros + values + zeros
        var result = [Float](repeating: 0, count: count * shape.outputs)
        var gathered = [Float](repeating: 0, count: inputs)
        var lanes = [Lanes](repeating: .zero, count: blocks)
        for place in 0..<count {
            for tap in 0..<shape.taps {
                let start = (place * shape.stride + tap * shape.dilation) * channels
                for channel in 0..<channels { gathered[tap * channels + channel] = padded[start + channel] }
            }
            gathered.withUnsafeBufferPointer { gathered in
                lanes.withUnsafeMutableBufferPointer { lanes in
                    guard let input = gathered.baseAddress, let output = lanes.baseAddress else { return }
                    product(input, output)
                }
            }
            for output in 0..<shape.outputs {
                let value = lanes[output / 8][output % 8]
                result[place * shape.outputs + output] = isRectified ? max(0, value) : value
            }
        }
        return result
    }
}
