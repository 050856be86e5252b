// SPDX-License-Identifier: MIT
import AudioKitLinux
import Foundation

/// Signals that tests can recognise again.
enum TestSignal {
    /// Pseudo-random 16-bit samples without a zero, the same for the same seed.
    static func noise(frames: Int, format: AudioFormat = .speech, seed: UInt64) -> AudioBuffer {
        var state = seed
        let samples = (0..<frames * format.channels).map { _ -> Int16 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int16(truncatingIfNeeded: state >> 40) | 1
        }
        return AudioBuffer(int16: samples, format: format)
    }

    /// A sine of `hertz`, its top at `amplitude`, on every channel.
    static func sine(
        _ hertz: Double, amplitude: Double = 0.5, frames: Int, format: AudioFormat = .speech
    ) -> AudioBuffer {
        var samples: [Float] = []
        samples.reserveCapacity(frames * format.channels)
        for frame in 0..<frames {
            let value = Float(amplitude * sin(2 * .pi * hertz * Double(frame) / Double(format.sampleRate)))
            for _ in 0..<format.channels { samples.append(value) }
        }
        return AudioBuffer(samples: samples, format: format)
    }

    /// How strong `hertz` is in mono samples: the amplitude of that sine.
    static func amplitude(of hertz: Double, in samples: some Collection<Float>, rate: Int) -> Double {
        var real = 0.0
        var imaginary = 0.0
        for (index, sample) in samples.enumerated() {
            let angle = 2 * .pi * hertz * Double(index) / Double(rate)
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
    }
}

/// A folder that goes away with the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/audiokit-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let path = file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }
}

/// Writes a whole buffer to a file.
func writeFile(_ path: String, _ buffer: AudioBuffer, encoding: SoundFileEncoding? = nil) throws {
    let writer = try SoundFileWriter(path: path, format: buffer.format, encoding: encoding)
    try writer.write(buffer)
    try writer.close()
}

/// Reads a whole file in its own format.
func readFile(_ path: String) throws -> AudioBuffer {
    let reader = try SoundFileReader(path: path)
    var samples: [Float] = []
    while let piece = try reader.read(frames: 1000) { samples += piece.samples }
    return AudioBuffer(samples: samples, format: reader.format)
}

/// The code of the error that `body` throws; nil when it throws none, or one of another type.
func code(_ body: () throws -> Void) -> AudioError.Code? {
    do {
        try body()
        return nil
    } catch { return (error as? AudioError)?.code }
}

/// Collects a capture stream until it ends or has `frames`.
func collect(_ capture: AudioCapture, frames: Int = .max) async throws -> [CapturedBuffer] {
    var buffers: [CapturedBuffer] = []
    var count = 0
    for try await buffer in capture.buffers {
        buffers.append(buffer)
        count += buffer.buffer.frameCount
        if count >= frames { break }
    }
    return buffers
}

/// The samples of captured buffers in a row.
func samples(of buffers: [CapturedBuffer]) -> [Int16] { buffers.flatMap { $0.buffer.int16Samples() } }

/// Where `needle` begins in `haystack`.
func find(_ needle: [Int16], in haystack: [Int16]) -> Int? {
    guard let first = needle.first, needle.count <= haystack.count else { return nil }
    return (0...haystack.count - needle.count).first { start in
        haystack[start] == first && haystack[start..<start + needle.count].elementsEqual(needle)
    }
}

/// How many file descriptors this process has open.
func openDescriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
}

/// How two sequences of samples differ, in a line; nil when they are the same. (`==` would print all of them.)
func difference<Sample: Equatable>(_ left: some Collection<Sample>, _ right: some Collection<Sample>) -> String? {
    for (index, (one, other)) in zip(left, right).enumerated() where one != other {
        return "frame \(index): \(one) is not \(other)"
    }
    return left.count == right.count ? nil : "\(left.count) samples are not \(right.count)"
}

/// How two buffers differ, in a line; nil when they are the same.
func difference(_ left: AudioBuffer, _ right: AudioBuffer) -> String? {
    left.format == right.format ? difference(left.samples, right.samples) : "\(left.format) is not \(right.format)"
}

/// The decimal logarithm, without a name that two modules have.
func logarithm(_ value: Double) -> Double { log10(value) }
