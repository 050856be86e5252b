// SPDX-License-Identifier: MIT

import AudioDSP
import Glibc
import TestKit
import Testing

@Suite("Real FFT")
struct RealFFTTests {
    /// One bin of an exact transform, in doubles.
    private func bin(_ index: Int, of signal: [Float]) -> (real: Double, imaginary: Double) {
        var (real, imaginary) = (0.0, 0.0)
        for (time, sample) in signal.enumerated() {
            let angle = -2 * Double.pi * Double(index * time % signal.count) / Double(signal.count)
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return (real, imaginary)
    }

    @Test(
        "every bin is that of an exact transform", arguments: [8, 16, 24, 32, 40, 48, 64, 120, 128, 240, 256, 400, 512])
    func small(_ size: Int) {
        var random = SeededGenerator(seed: UInt64(size))
        let signal = random.samples(size)
        let spectrum = RealFFT(size: size).forward(signal)
        #expect(spectrum.real.count == size / 2 + 1)
        for index in 0...size / 2 {
            let exact = bin(index, of: signal)
            #expect(abs(Double(spectrum.real[index]) - exact.real) < 1e-5, "bin \(index)")
            #expect(abs(Double(spectrum.imaginary[index]) - exact.imaginary) < 1e-5, "bin \(index)")
        }
    }

    @Test(
        "some bins of long transforms, to 10⁻⁵ of the root of the power",
        arguments: [480, 960, 1_024, 2_048, 8_192, 65_536])
    func large(_ size: Int) {
        var random = SeededGenerator(seed: UInt64(size))
        let signal = random.samples(size)
        let power = signal.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
        let spectrum = RealFFT(size: size).forward(signal)
        for index in [0, 1, 2, 3, size / 4 - 1, size / 4, size / 4 + 1, size / 2 - 2, size / 2 - 1, size / 2] {
            let exact = bin(index, of: signal)
            #expect(abs(Double(spectrum.real[index]) - exact.real) < 1e-5 * power, "bin \(index)")
            #expect(abs(Double(spectrum.imaginary[index]) - exact.imaginary) < 1e-5 * power, "bin \(index)")
        }
    }

    @Test("the inverse gives back the signal", arguments: [8, 16, 24, 32, 40, 64, 72, 128, 400, 1_024, 4_096, 6_000])
    func inverse(_ size: Int) {
        var random = SeededGenerator(seed: UInt64(size))
        let signal = random.samples(size)
        let plan = RealFFT(size: size)
        let spectrum = plan.forward(signal)
        let back = plan.inverse(real: spectrum.real, imaginary: spectrum.imaginary)
        #expect(zip(signal, back).allSatisfy { abs($0 - $1) < 2e-6 })
    }

    @Test("memories may start at any address, and nothing beyond them is touched")
    func unaligned() {
        let size = 64
        var random = SeededGenerator(seed: 7)
        let signal = random.samples(size + 3)
        let plan = RealFFT(size: size)
        for start in 0...3 {
            var memory = [Float](repeating: 99, count: 4 * size)
            let (real, imaginary, workspace) = (1 + start, 1 + start + 40, 1 + start + 80)
            memory.withUnsafeMutableBufferPointer { memory in
                signal.withUnsafeBufferPointer { signal in
                    plan.forward(
                        UnsafeBufferPointer(rebasing: signal[start..<start + size]),
                        real: .init(rebasing: memory[real..<real + 33]),
                        imaginary: .init(rebasing: memory[imaginary..<imaginary + 33]),
                        workspace: .init(rebasing: memory[workspace..<workspace + size]))
                }
            }
            let expected = plan.forward(Array(signal[start..<start + size]))
            #expect(Array(memory[real..<real + 33]) == expected.real)
            #expect(Array(memory[imaginary..<imaginary + 33]) == expected.imaginary)
            #expect(memory[real - 1] == 99 && memory[real + 33] == 99 && memory[imaginary - 1] == 99)
            #expect(memory[imaginary + 33] == 99 && memory[workspace - 1] == 99 && memory[workspace + size] == 99)
        }
    }

    @Test("an impulse is flat, a constant is one bin, and what is not a number spreads and does not stay")
    func special() {
        let plan = RealFFT(size: 32)
        let impulse = plan.forward([1] + [Float](repeating: 0, count: 31))
        #expect(impulse.real == [Float](repeating: 1, count: 17))
        #expect(impulse.imaginary.allSatisfy { $0 == 0 })
        let constant = plan.forward([Float](repeating: 1, count: 32))
        #expect(constant.real[0] == 32 && constant.real[1...].allSatisfy { abs($0) < 1e-6 })
        let broken = plan.forward([.nan] + [Float](repeating: 0, count: 31))
        #expect(broken.real[3].isNaN)
        #expect(plan.forward([Float](repeating: 1, count: 32)).real == constant.real)
        let tiny = plan.forward([Float](repeating: .leastNonzeroMagnitude * 1_000, count: 32))
        #expect(tiny.real[0] > 0)
    }

    @Test("sizes without a plan are told")
    func sizes() {
        for size in [8, 16, 400, 480, 1 << 20] { #expect(RealFFT.isSupported(size: size)) }
        for size in [-8, 0, 4, 12, 56, 100, 513] { #expect(!RealFFT.isSupported(size: size)) }
    }

    @Test("one plan serves many threads")
    func shared() async {
        let plan = RealFFT(size: 256)
        var random = SeededGenerator(seed: 1)
        let signal = random.samples(256)
        let expected = plan.forward(signal).real
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<4).allSatisfy { _ in plan.forward(signal).real == expected } }
            }
            for await isEqual in group { #expect(isEqual) }
        }
    }
}
