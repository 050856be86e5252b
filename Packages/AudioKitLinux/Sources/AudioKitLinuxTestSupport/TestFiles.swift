// SPDX-License-Identifier: MIT
public import AudioKitLinux
import Foundation

/// A folder that goes away with the test.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let path: String

    /// Makes an empty one.
    public init() throws {
        path = NSTemporaryDirectory() + "/audiokit-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    public func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file into it; returns its path.
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let path = file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }
}

/// Writes a whole buffer to a file.
public func writeFile(_ path: String, _ buffer: AudioBuffer, encoding: SoundFileEncoding? = nil) throws {
    let writer = try SoundFileWriter(path: path, format: buffer.format, encoding: encoding)
    try writer.write(buffer)
    try writer.close()
}

/// Reads a whole file in its own format.
public func readFile(_ path: String) throws -> AudioBuffer {
    let reader = try SoundFileReader(path: path)
    var samples: [Float] = []
    while let piece = try reader.read(frames: 1000) { samples += piece.samples }
    return AudioBuffer(samples: samples, format: reader.format)
}
