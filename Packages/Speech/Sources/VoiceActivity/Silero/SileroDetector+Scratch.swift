// SPDX-License-Identifier: MIT

extension SileroDetector {
    /// The temporary memory of one inference, allocated once.
    struct Scratch: Sendable {
        private var spectrum = [SIMD4<Float>](repeating: .zero, count: SileroNetwork.window + SileroNetwork.bins)
        private var layers = [Lanes](repeating: .zero, count: (4 * 128 + 2 * 64 + 64 + 4 * 128) / 8)

        /// Computes all layers between the sound and the hidden state.
        ///
        /// - Parameters:
        ///   - sound: 640 samples.
        ///   - cellInput: 256 numbers: room for the features, and the hidden state, which is replaced.
        ///   - cellState: The 128 numbers of the cell's memory, which are replaced.
        mutating func run(
            _ network: SileroNetwork, _ basis: FourierBasis, _ sound: [Float], _ cellInput: inout [Float],
            _ cellState: inout [Lanes]
        ) {
            spectrum.withUnsafeMutableBufferPointer { spectrum in
                layers.withUnsafeMutableBufferPointer { layers in
                    cellInput.withUnsafeMutableBufferPointer { cellInput in
                        guard let work = spectrum.baseAddress, let first = layers.baseAddress,
                            let features = cellInput.baseAddress
                        else { return }
                        let magnitudes = work + SileroNetwork.window
                        let second = first + 64, third = second + 16, gates = third + 8
                        let convolutions = network.convolutions
                        Self.magnitudes(network, basis, sound, work: work, into: magnitudes)
                        convolutions[0].fourColumns(magnitudes, first)
                        convolutions[1].twoColumns(Self.numbers(first), second)
                        convolutions[2].oneColumn(Self.numbers(second), third)
                        // The gates' memory holds the features until the cell has them.
                        convolutions[3].product(Self.numbers(third), gates)
                        for block in 0..<16 { Self.store(gates[block].rectified, features + 8 * block) }
                        network.cell.product(features, gates)
                        Self.cell(gates, &cellState, hidden: features + SileroNetwork.hidden)
                    }
                }
            }
        }

        @inline(__always)
        private static func magnitudes(
            _ network: SileroNetwork, _ basis: FourierBasis, _ sound: [Float],
            work: UnsafeMutablePointer<SIMD4<Float>>, into magnitudes: UnsafeMutablePointer<SIMD4<Float>>
        ) {
            let hop = SileroNetwork.hop
            sound.withUnsafeBufferPointer { sound in
                network.windowShape.withUnsafeBufferPointer { window in
                    basis.magnitudes(
                        of: { index in
                            window[index]
                                * SIMD4(
                                    sound[index], sound[index + hop], sound[index + 2 * hop], sound[index + 3 * hop])
                        }, work: work, into: magnitudes)
                }
            }
        }

        @inline(__always)
        private static func cell(
            _ gates: UnsafeMutablePointer<Lanes>, _ state: inout [Lanes], hidden: UnsafeMutablePointer<Float>
        ) {
            for block in 0..<16 {
                let kept = gates[16 + block].sigmoid * state[block]
                let added = gates[block].sigmoid * gates[32 + block].hyperbolicTangent
                state[block] = kept + added
                store(gates[48 + block].sigmoid * state[block].hyperbolicTangent, hidden + 8 * block)
            }
        }

        @inline(__always)
        private static func numbers(_ lanes: UnsafeMutablePointer<Lanes>) -> UnsafePointer<Float> {
            UnsafePointer(UnsafeMutableRawPointer(lanes).assumingMemoryBound(to: Float.self))
        }

        @inline(__always)
        private static func store(_ lanes: Lanes, _ place: UnsafeMutablePointer<Float>) {
            UnsafeMutableRawPointer(place).storeBytes(of: lanes, as: Lanes.self)
        }
    }
}
