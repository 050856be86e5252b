// SPDX-License-Identifier: MIT

extension RealFFT {
    /// The spectrum of `signal` (`size` samples) in new arrays of `binCount` values.
    public func forward(_ signal: [Float]) -> (real: [Float], imaginary: [Float]) {
        var real = [Float](repeating: 0, count: binCount)
        var imaginary = real
        withWorkspace { workspace in
            signal.withUnsafeBufferPointer { signal in
                real.withUnsafeMutableBufferPointer { real in
                    imaginary.withUnsafeMutableBufferPointer { imaginary in
                        forward(signal, real: real, imaginary: imaginary, workspace: workspace)
                    }
                }
            }
        }
        return (real, imaginary)
    }

    /// The signal of a spectrum (`binCount` real and imaginary parts) in a new array of `size` samples.
    public func inverse(real: [Float], imaginary: [Float]) -> [Float] {
        [Float](unsafeUninitializedCapacity: size) { signal, count in
            withWorkspace { workspace in
                real.withUnsafeBufferPointer { real in
                    imaginary.withUnsafeBufferPointer { imaginary in
                        inverse(real: real, imaginary: imaginary, signal: signal, workspace: workspace)
                    }
                }
            }
            count = size
        }
    }

    private func withWorkspace(_ body: (UnsafeMutableBufferPointer<Float>) -> Void) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: workspaceCount, body)
    }
}
