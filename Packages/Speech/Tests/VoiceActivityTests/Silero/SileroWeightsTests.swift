// SPDX-License-Identifier: MIT
import Testing

@testable import VoiceActivity

@Suite("Silero's weights")
struct SileroWeightsTests {
    /// A file as ONNX has it, with one tensor of two by three.
    private static let small: [UInt8] = {
        func delimited(_ field: UInt8, _ bytes: [UInt8]) -> [UInt8] { [field << 3 | 2, UInt8(bytes.count)] + bytes }
        let values: [Float] = [1, -2, 3.5, 0, 1e-9, 4]
        let raw = values.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian) { [UInt8]($0) } }
        let shape: [UInt8] = [1 << 3, 2, 1 << 3, 3, 2 << 3, 1]
        let tensor: [UInt8] = shape + delimited(8, Array("a.weight".utf8)) + delimited(9, raw)
        let name: [UInt8] = delimited(2, Array("graph".utf8))
        let fixed32: [UInt8] = [11 << 3 | 5, 1, 2, 3, 4]
        let version: [UInt8] = [1 << 3, 0x88, 0x01]
        let fixed64: [UInt8] = [9 << 3 | 1, 0, 0, 0, 0, 0, 0, 0, 0]
        return version + delimited(7, name + delimited(5, tensor) + fixed32) + fixed64
    }()

    @Test("tensors come with name, shape and values") func tensor() throws {
        let tensors = try ONNXTensors(Self.small)
        #expect(tensors.byName.keys.sorted() == ["a.weight"])
        #expect(tensors.byName["a.weight"]?.shape == [2, 3])
        #expect(tensors.byName["a.weight"]?.values == [1, -2, 3.5, 0, 1e-9, 4])
    }

    @Test("a file cut off anywhere inside a field is damaged") func truncation() {
        var read = 0
        for length in 0..<Self.small.count {
            if (try? ONNXTensors(Array(Self.small[..<length]))) != nil { read += 1 }
        }
        #expect(read == 3, "only between the fields of the outermost message: at 0, after the first and the second")
    }

    @Test("no flipped bit makes the reader fail otherwise than by its error") func flips() {
        for index in Self.small.indices {
            for bit in 0..<8 {
                var bytes = Self.small
                bytes[index] ^= 1 << bit
                do {
                    let tensors = try ONNXTensors(bytes)
                    #expect(tensors.byName.values.allSatisfy { $0.shape.reduce(1, *) == $0.values.count })
                } catch {
                    #expect(!error.description.isEmpty)
                }
            }
        }
    }

    @Test("random bytes are refused, never read past", arguments: 1...20 as ClosedRange<UInt64>) func noise(
        seed: UInt64
    ) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        for _ in 0..<200 {
            let bytes = (0..<64).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            }
            #expect(throws: VoiceActivityError.self) { try SileroWeights(bytes: bytes) }
        }
    }

    @Test("numbers of more than 64 bits are damage") func longNumber() {
        let bytes: [UInt8] = [8] + [UInt8](repeating: 0xFF, count: 10) + [1]
        #expect(throws: ProtobufReader.Damage.numberTooLong(at: 1)) { try ONNXTensors(bytes) }
    }

    @Test("another model's file is told from a damaged one") func otherModel() {
        #expect { try SileroWeights(bytes: Self.small) } throws: {
            ($0 as? VoiceActivityError)?.code == .weightsOfAnotherModel
        }
        #expect { try SileroWeights(bytes: Array(Self.small.dropLast())) } throws: {
            ($0 as? VoiceActivityError)?.code == .weightsDamaged
        }
    }

    @Test("a file that is not there names where it was looked for") func missing() {
        #expect { try SileroWeights(searching: ["/nowhere", "/nor/here"]) } throws: { error in
            let error = error as? VoiceActivityError
            return error?.code == .weightsMissing && error?.detail.contains("/nor/here") == true
        }
        #expect { try SileroWeights(path: "/") } throws: { ($0 as? VoiceActivityError)?.code == .weightsUnreadable }
        #expect { try SileroWeights(path: "/dev/zero") } throws: {
            ($0 as? VoiceActivityError)?.code == .weightsUnreadable
        }
    }

    @Test("the folders follow the environment") func folders() {
        #expect(
            SileroWeights.folders(environment: ["HOME": "/home/ada", "PARLEY_MODELS": "models"]) == [
                "models", "/home/ada/.local/share/parley/models", "/usr/local/share/parley/models",
                "/usr/share/parley/models",
            ])
        #expect(
            SileroWeights.folders(environment: [
                "HOME": "/home/ada", "XDG_DATA_HOME": "/data", "XDG_DATA_DIRS": "relative:/srv/share",
            ]) == ["/data/parley/models", "/srv/share/parley/models"])
        #expect(
            SileroWeights.folders(environment: ["PARLEY_HOME": "/p", "XDG_DATA_HOME": "/data", "XDG_DATA_DIRS": "/s"])
                == ["/p/data/models", "/s/parley/models"])
    }

    @Test("the Fourier transform in four lanes is that of its definition") func fourier() {
        var windows = [SIMD4<Float>](repeating: .zero, count: 256)
        for index in windows.indices {
            windows[index] = SIMD4(
                index == 3 ? 1 : 0, Float((index * 7919) % 101) / 101 - 0.5, index % 2 == 0 ? 1 : -1, 1)
        }
        var work = [SIMD4<Float>](repeating: .zero, count: 256)
        var found = [SIMD4<Float>](repeating: .zero, count: 129)
        FourierBasis().magnitudes(of: { windows[$0] }, work: &work, into: &found)
        for bin in stride(from: 0, through: 128, by: 1) {
            var real = SIMD4<Double>.zero, imaginary = SIMD4<Double>.zero
            for index in windows.indices {
                let turn = Double((bin * index) % 256) / 256
                real += SIMD4<Double>(windows[index]) * TestMath.cosine(turn)
                imaginary += SIMD4<Double>(windows[index]) * TestMath.cosine(turn - 0.25)
            }
            let expected = (real * real + imaginary * imaginary).squareRoot()
            let difference = SIMD4<Double>(found[bin]) - expected
            let squared = (difference * difference).sum()
            #expect(squared < 1e-6)
        }
    }

    @Test("sigmoid and hyperbolic tangent are those of the library") func activations() {
        for step in -400...400 {
            let x = Float(step) / 4
            let lanes = SIMD8<Float>(repeating: x)
            let sigmoidError = abs(lanes.sigmoid[0] - TestMath.sigmoid(x))
            let tangentError = abs(lanes.hyperbolicTangent[0] - TestMath.hyperbolicTangent(x))
            #expect(sigmoidError < 5e-7 && tangentError < 1e-6)
        }
    }
}
