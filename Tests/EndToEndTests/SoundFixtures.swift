// SPDX-License-Identifier: MIT

import Foundation
import TestKit

/// Sound files for the tests, made by the system's own tools.
struct SoundFixtures {
    let folder: String

    /// Speaks with flite into a 16 kHz WAV file.
    func speech(_ text: String, voice: String = "slt") throws -> String {
        let path = folder + "/\(UUID()).wav"
        try Self.tool("/usr/bin/flite", ["-voice", voice, "-t", text, "-o", path])
        return path
    }

    /// Converts with sox.
    func converted(_ path: String, _ arguments: [String], to name: String, effects: [String] = []) throws -> String {
        let target = folder + "/" + name
        try Self.tool("/usr/bin/sox", [path] + arguments + [target] + effects)
        return target
    }

    /// A WAV file with a true header and no content beyond it but a hole: `bytes` of digital silence.
    func hole(bytes: Int) throws -> String {
        let path = folder + "/hole.wav"
        var header = Data("RIFF".utf8)
        func append(_ value: Int, _ size: Int) {
            for byte in 0..<size { header.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
        }
        append(36 + bytes, 4)
        header += Data("WAVEfmt ".utf8)
        for (value, size) in [(16, 4), (1, 2), (1, 2), (16_000, 4), (32_000, 4), (2, 2), (16, 2)] {
            append(value, size)
        }
        header += Data("data".utf8)
        append(bytes, 4)
        try header.write(to: URL(filePath: path))
        truncate(path, header.count + bytes)
        return path
    }

    /// A file with that content.
    func file(_ name: String, _ content: Data) throws -> String {
        try content.write(to: URL(filePath: folder + "/" + name))
        return folder + "/" + name
    }

    /// Runs a tool; its failure is the test's.
    static func tool(_ path: String, _ arguments: [String]) throws {
        guard try ChildProcess(path, arguments, output: .discarded, errors: .discarded).wait() == .exited(0) else {
            throw ToolFailed(command: ([path] + arguments).joined(separator: " "))
        }
    }

    /// A tool that ended with an error.
    struct ToolFailed: Error {
        let command: String
    }
}
