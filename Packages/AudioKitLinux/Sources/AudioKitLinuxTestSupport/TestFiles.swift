// SPDX-License-Identifier: MIT
public import AudioKitLinux
import Foundation

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
