// SPDX-License-Identifier: MIT

/// The network's layers as tables in the order in which the kernels read them.
///
/// Silero VAD 6.2.3 for 16 kHz: magnitudes of a Hann-windowed Fourier transform (256 samples every 128), four
/// convolutions over time with three taps each (129→128→64→64→128 channels, strides 1, 2, 2, 1, ReLU), one LSTM cell of
/// 128, ReLU, a weighted sum and a sigmoid. A chunk of 512 samples gives four spectra, then 4, 2, 1 and 1 columns.
struct SileroNetwork: Sendable {
    static let bins = 129
    static let hidden = 128
    static let window = 256
    static let hop = 128

    let windowShape: [Float]
    let convolutions: [LaneTable]
    /// Inputs are the 128 features, then the 128 hidden values; outputs the gates i, f, g, o (PyTorch's order).
    let cell: LaneTable
    let outputWeights: [Float]
    let outputBias: Float

    /// Extracts the 15 tensors from a file. Checks that each exists with its shape and without not-a-numbers.
    init(_ tensors: ONNXTensors, name: String) throws(VoiceActivityError) {
        func tensor(_ path: String, _ shape: Int...) throws(VoiceActivityError) -> [Float] {
            guard let tensor = tensors.byName["model." + path], tensor.shape == shape else {
                let found = tensors.byName["model." + path].map { "shape \($0.shape)" } ?? "nothing"
                throw Self.otherModel(name, "\(found) for \(path), not \(shape)")
            }
            guard tensor.values.allSatisfy(\.isFinite) else {
                throw VoiceActivityError(
                    .weightsDamaged, "\(name) is damaged. Delete it and run Scripts/fetch-weights.",
                    detail: "\(path) has values that are no numbers")
            }
            return tensor.values
        }
        let basis = try tensor("stft.forward_basis_buffer", 2 * Self.bins, 1, Self.window)
        windowShape = Array(basis[0..<Self.window])
        guard FourierBasis.isWindowed(basis, by: windowShape) else {
            throw Self.otherModel(name, "the first layer is not a windowed Fourier transform")
        }
        var layers: [LaneTable] = []
        // Taps that only ever meet the zeros beside the columns are left out: the first of the third layer, the first
        // and the last of the fourth.
        for (index, (inputs, outputs, taps)) in [
            (129, 128, 0..<3), (128, 64, 0..<3), (64, 64, 1..<3), (64, 128, 1..<2),
        ]
        .enumerated() {
            let weights = try tensor("encoder.\(index).reparam_conv.weight", outputs, inputs, 3)
            let bias = try tensor("encoder.\(index).reparam_conv.bias", outputs)
            layers.append(
                LaneTable(outputs: outputs, inputs: inputs * taps.count, bias: bias) { output, input in
                    let (channel, tap) = input.quotientAndRemainder(dividingBy: taps.count)
                    return weights[(output * inputs + channel) * 3 + taps.lowerBound + tap]
                })
        }
        convolutions = layers
        let fromInput = try tensor("decoder.rnn.weight_ih", 4 * Self.hidden, Self.hidden)
        let fromHidden = try tensor("decoder.rnn.weight_hh", 4 * Self.hidden, Self.hidden)
        let inputBias = try tensor("decoder.rnn.bias_ih", 4 * Self.hidden)
        let hiddenBias = try tensor("decoder.rnn.bias_hh", 4 * Self.hidden)
        cell = LaneTable(
            outputs: 4 * Self.hidden, inputs: 2 * Self.hidden, bias: zip(inputBias, hiddenBias).map { $0 + $1 }
        ) { output, input in
            input < Self.hidden
                ? fromInput[output * Self.hidden + input] : fromHidden[output * Self.hidden + input - Self.hidden]
        }
        outputWeights = try tensor("decoder.decoder.2.weight", 1, Self.hidden, 1)
        outputBias = try tensor("decoder.decoder.2.bias", 1)[0]
    }

    private static func otherModel(_ name: String, _ detail: String) -> VoiceActivityError {
        VoiceActivityError(
            .weightsOfAnotherModel,
            "\(name) is not the model that parley computes. Delete it and run Scripts/fetch-weights.", detail: detail)
    }
}

/// Weights of one layer in blocks of eight outputs: for each block all inputs, for each input eight lanes.
struct LaneTable: Sendable {
    let blocks: Int
    let inputs: Int
    let bias: [SIMD8<Float>]
    let weights: [SIMD8<Float>]

    init(outputs: Int, inputs: Int, bias: [Float], weight: (_ output: Int, _ input: Int) -> Float) {
        blocks = outputs / 8
        self.inputs = inputs
        self.bias = (0..<(outputs / 8)).map { block in Self.lanes { bias[8 * block + $0] } }
        var weights: [SIMD8<Float>] = []
        weights.reserveCapacity(outputs / 8 * inputs)
        for block in 0..<(outputs / 8) {
            for input in 0..<inputs { weights.append(Self.lanes { weight(8 * block + $0, input) }) }
        }
        self.weights = weights
    }

    private static func lanes(_ value: (Int) -> Float) -> SIMD8<Float> {
        var lanes = SIMD8<Float>()
        for lane in 0..<8 { lanes[lane] = value(lane) }
        return lanes
    }
}
