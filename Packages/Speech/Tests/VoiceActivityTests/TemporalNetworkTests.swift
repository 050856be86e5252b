// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import VoiceActivity

@Suite struct TemporalNetworkTests {
    private static let shapes: [TemporalNetwork.Shape] = [
        .init(inputs: 2, outputs: 3, taps: 3, stride: 2, dilation: 2), .init(inputs: 3, outputs: 2, taps: 1),
    ]
    // 18 levels of the first layer, 6 of the second.
    private static let weights: StaticString = """
        PQRSTUVWXYZ[\\]^_`a
        MNOPQR
        """
    private static let scales: [Float] = [0.1, 0.2, 0.05, 0.3, 0.4]
    private static let biases: [Float] = [0.5, -1, 0.25, 0, 1]

    /// The layers as their definition has them.
    private static func expected(_ frames: [[Float]]) -> [Float] {
        let levels: [Float] = (0..<18).map { Float($0) } + [-3, -2, -1, 0, 1, 2]
        var places: [[Float]] = []
        for place in stride(from: 0, to: frames.count, by: 2) {
            var hidden: [Float] = []
            for output in 0..<3 {
                var sum = biases[output]
                for tap in 0..<3 where frames.indices.contains(place + 2 * tap - 2) {
                    for input in 0..<2 {
                        let weight = scales[output] * levels[output * 6 + tap * 2 + input]
                        sum += weight * frames[place + 2 * tap - 2][input]
                    }
                }
                hidden.append(max(0, sum))
            }
            places.append(hidden)
        }
        var scores: [Float] = []
        for output in 0..<2 {
            var (sum, weights): (Float, Float) = (0, 0)
            for hidden in places {
                var value = biases[3 + output]
                for input in 0..<3 { value += scales[3 + output] * levels[18 + output * 3 + input] * hidden[input] }
                sum += expf(value) * value
                weights += expf(value)
            }
            scores.append(sum / weights)
        }
        return scores
    }

    @Test(arguments: 1...7) func `layers compute what their definition says`(count: Int) throws {
        let network = try #require(
            TemporalNetwork(Self.shapes, weights: Self.weights, scales: Self.scales, biases: Self.biases))
        let frames: [[Float]] = (0..<count).map { (index: Int) -> [Float] in
            let (first, second) = (Float(index % 3), Float(index * 5 % 7))
            return [first - 1, second / 4 - 0.5]
        }
        let scores = network.scores(frames.flatMap { $0 })
        #expect(scores.count == 2)
        let expected: [Float] = Self.expected(frames)
        for (score, value) in zip(scores, expected) {
            let error: Float = abs(score - value)
            #expect(error < 1e-3)
        }
    }

    @Test func `weights that do not fit the shapes are refused`() {
        func isRefused(_ weights: StaticString, _ scales: [Float], _ biases: [Float]) -> Bool {
            TemporalNetwork(Self.shapes, weights: weights, scales: scales, biases: biases) == nil
        }
        #expect(!isRefused(Self.weights, Self.scales, Self.biases))
        #expect(isRefused("PQRSTUVWXYZ", Self.scales, Self.biases), "too few")
        #expect(isRefused("PQRSTUVWXYZ[]^_`abMNOPQRR", Self.scales, Self.biases), "too many")
        #expect(isRefused("PQRSTUVWXYZ[]^_`abMNOPQ!", Self.scales, Self.biases), "no level")
        #expect(isRefused(Self.weights, Array(Self.scales.dropLast()), Self.biases))
        #expect(isRefused(Self.weights, Self.scales, [0, .nan, 0, 0, 0]))
    }
}
