// SPDX-License-Identifier: MIT

import AudioDSP
import Glibc
import TestKit
import Testing

@Suite("Windows and power spectra")
struct SpectrumTests {
    @Test("windows are those of the textbook, periodic and symmetric")
    func windows() {
        #expect(Window.hann.weights(4) == [0, 0.5, 1, 0.5])
        #expect(zip(Window.hann.weights(5, isPeriodic: false), [0, 0.5, 1, 0.5, 0]).allSatisfy { abs($0 - $1) < 1e-7 })
        #expect(zip(Window.hamming.weights(4), [0.08, 0.54, 1, 0.54]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(Window.rectangular.weights(3) == [1, 1, 1])
        for window in Window.allCases {
            #expect(window.weights(0).isEmpty && window.weights(-1).isEmpty)
            #expect(window.weights(1) == [1])
        }
    }

    @Test("power, magnitude and weights are their scalar forms for any length and start")
    func oracle() {
        var random = SeededGenerator(seed: 11)
        for count in [0, 1, 3, 4, 5, 7, 8, 9, 31, 64, 101] {
            for start in 0...2 {
                let (a, b) = (random.wildSamples(count + start), random.wildSamples(count + start))
                var power = [Float](repeating: 7, count: count + start + 1)
                var magnitude = power
                var product = power
                a.withUnsafeBufferPointer { a in
                    b.withUnsafeBufferPointer { b in
                        let (x, y) = (
                            UnsafeBufferPointer(rebasing: a[start...]), UnsafeBufferPointer(rebasing: b[start...])
                        )
                        power.withUnsafeMutableBufferPointer {
                            Spectrum.power(real: x, imaginary: y, into: .init(rebasing: $0[start...]))
                        }
                        magnitude.withUnsafeMutableBufferPointer {
                            Spectrum.magnitude(real: x, imaginary: y, into: .init(rebasing: $0[start...]))
                        }
                        product.withUnsafeMutableBufferPointer {
                            Spectrum.weigh(x, by: y, into: .init(rebasing: $0[start...]))
                        }
                    }
                }
                for index in start..<count + start {
                    let exact = a[index] * a[index] + b[index] * b[index]
                    #expect(isSame(power[index], exact))
                    #expect(isSame(magnitude[index], exact.squareRoot()))
                    #expect(isSame(product[index], a[index] * b[index]))
                }
                #expect(power[count + start] == 7 && magnitude[count + start] == 7 && product[count + start] == 7)
            }
        }
    }
}

/// Equal, or both not a number.
func isSame(_ a: Float, _ b: Float) -> Bool { a == b || (a.isNaN && b.isNaN) }
