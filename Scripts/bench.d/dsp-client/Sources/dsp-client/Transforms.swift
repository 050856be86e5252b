// SPDX-License-Identifier: MIT
import AudioDSP
import CField
import Glibc

func measureTransforms(_ measurement: Measurement) {
    for size in [256, 400, 512, 1_024, 4_096, 65_536] {
        let plan = RealFFT(size: size)
        let signal = memory(size, Float(0))
        for index in 0..<size { signal[index] = Float((index * 7_919) % 1_000) / 1_000 - 0.5 }
        let (real, imaginary) = (memory(plan.binCount, Float(0)), memory(plan.binCount, Float(0)))
        let (workspace, back) = (memory(plan.workspaceCount, Float(0)), memory(size, Float(0)))
        let fftw = field_fft_create(Int32(size))
        defer { field_fft_destroy(fftw) }
        for index in 0..<size { field_fft_signal(fftw)[index] = signal[index] }
        let half = size / 2
        let (cosine, sine) = (memory(half, Float(0)), memory(half, Float(0)))
        for index in 0..<half {
            cosine[index] = Float(cos(2 * .pi * Double(index) / Double(half)))
            sine[index] = Float(sin(2 * .pi * Double(index) / Double(half)))
        }
        let scalar = {
            // The complex transform of half the size only, so it does less than the others.
            for index in 0..<half {
                (workspace[index], workspace[half + index]) = (signal[2 * index], signal[2 * index + 1])
            }
            Scalar.fft(
                workspace.base, workspace.base + half, half, cosine.base, sine.base)
        }
        var ways: [(name: String, run: () -> Void)] = [
            (
                "AudioDSP",
                { plan.forward(UnsafeBufferPointer(signal), real: real, imaginary: imaginary, workspace: workspace) }
            ),
            ("fftwf", { field_fft_forward(fftw) }),
        ]
        if size & (size - 1) == 0 { ways.append(("scalar", scalar)) }
        measurement.compare("real FFT of \(size)", samples: size, ways)
        measurement.compare(
            "inverse real FFT of \(size)", samples: size,
            [
                (
                    "AudioDSP",
                    {
                        plan.inverse(
                            real: UnsafeBufferPointer(real), imaginary: UnsafeBufferPointer(imaginary), signal: back,
                            workspace: workspace)
                    }
                ),
                ("fftwf", { field_fft_inverse(fftw) }),
            ])
    }
}
