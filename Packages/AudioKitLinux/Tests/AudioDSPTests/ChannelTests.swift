// SPDX-License-Identifier: MIT

import AudioDSP
import TestKit
import Testing

@Suite("Channels")
struct ChannelTests {
    @Test("samples go apart and together again", arguments: 1...8)
    func layout(_ channels: Int) {
        var random = SeededGenerator(seed: UInt64(channels))
        for frames in [0, 1, 3, 4, 5, 6, 8, 9, 13, 32] {
            for start in 0...1 {
                let count = frames * channels
                let source = random.wildSamples(count + start).map { $0.isNaN ? 0 : $0 }
                var planar = [Float](repeating: 77, count: count + start + 1)
                var back = planar
                source.withUnsafeBufferPointer { source in
                    planar.withUnsafeMutableBufferPointer {
                        ChannelLayout.deinterleave(
                            .init(rebasing: source[start...]), channels: channels,
                            into: .init(rebasing: $0[start..<start + count]))
                    }
                }
                planar.withUnsafeBufferPointer { planar in
                    back.withUnsafeMutableBufferPointer {
                        ChannelLayout.interleave(
                            .init(rebasing: planar[start..<start + count]), channels: channels,
                            into: .init(rebasing: $0[start..<start + count]))
                    }
                }
                for frame in 0..<frames {
                    for channel in 0..<channels {
                        #expect(planar[start + channel * frames + frame] == source[start + frame * channels + channel])
                    }
                }
                #expect(Array(back[start..<start + count]) == Array(source[start...]))
                #expect(planar[start + count] == 77 && back[start + count] == 77)
                #expect(start == 0 || (planar[0] == 77 && back[0] == 77))
            }
        }
    }

    @Test("a matrix is its sums, for every number of channels", arguments: 1...8, 1...8)
    func matrix(_ inputs: Int, _ outputs: Int) {
        var random = SeededGenerator(seed: UInt64(inputs * 10 + outputs))
        let matrix = ChannelMatrix((0..<outputs).map { _ in random.samples(inputs) })
        for frames in [0, 1, 2, 4, 5, 11, 16] {
            let source = random.samples(frames * inputs)
            var target = [Float](repeating: 77, count: frames * outputs + 1)
            source.withUnsafeBufferPointer { source in
                target.withUnsafeMutableBufferPointer {
                    matrix.apply(source, into: .init(rebasing: $0[..<(frames * outputs)]))
                }
            }
            for frame in 0..<frames {
                for output in 0..<outputs {
                    let sum = (0..<inputs).reduce(Float(0)) {
                        $0 + source[frame * inputs + $1] * matrix.gains[output * inputs + $1]
                    }
                    #expect(abs(target[frame * outputs + output] - sum) < 1e-6)
                }
            }
            #expect(target[frames * outputs] == 77)
        }
    }

    @Test("the known matrices")
    func known() {
        func mixed(_ matrix: ChannelMatrix, _ frame: [Float]) -> [Float] {
            var result = [Float](repeating: 0, count: matrix.outputs)
            frame.withUnsafeBufferPointer { frame in
                result.withUnsafeMutableBufferPointer { matrix.apply(frame, into: $0) }
            }
            return result
        }
        #expect(mixed(.monoToStereo, [0.5]) == [0.5, 0.5])
        #expect(mixed(.stereoToMono, [0.5, -0.25]) == [0.125])
        #expect(mixed(.mean(of: 4, to: 2), [1, 0, 0, 1]) == [0.5, 0.5])
        #expect(mixed(.surround51ToStereo, [1, 0, 0, 5, 0, 0]) == [1, 0])
        #expect(
            zip(mixed(.surround51ToStereo, [0, 0, 1, 0, 0, 1]), [0.7071, 1.4142]).allSatisfy { abs($0 - $1) < 1e-4 })
        #expect(ChannelMatrix.surround51ToStereo.scaled(by: 0.5).gains[0] == 0.5)
    }
}
