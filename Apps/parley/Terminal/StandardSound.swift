// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import Domain
import FoundationEssentials
import Glibc
import TerminalKit

/// Sound on standard input or output, named `-`.
///
/// Sound files are read and written with seeking, so the sound is in an unnamed file meanwhile.
enum StandardSound {
    /// The name of standard input or output.
    static let word = "-"
    /// The greatest size of the sound, in bytes: an hour and a half of stereo at 48 kHz.
    private static let limit = 1 << 30

    /// The path of a sound file: of a copy of standard input if the name is `-`, else the name.
    static func path(_ name: String) async throws -> String { name == word ? try await read() : name }

    /// The same; nil for nil.
    static func path(_ name: String?) async throws -> String? {
        if let name { try await path(name) } else { nil }
    }

    /// Calls `write` with the path of a temporary sound file, and copies the file to standard output.
    static func write(_ write: (_ path: String) async throws -> Void) async throws {
        let descriptor = try unnamedFile()
        defer { close(descriptor) }
        try await write(path(of: descriptor))
        let (input, output) = (InputStream(descriptor: descriptor), OutputStream(descriptor: 1))
        lseek(descriptor, 0, SEEK_SET)
        while let chunk = try input.readChunk() { try output.write(chunk) }
    }

    /// The descriptor stays open as long as the program runs, since the path leads through it.
    private static func read() async throws -> String {
        let input = InputStream()
        guard !input.isTerminal else {
            throw DomainError.invalidInput("Standard input is a terminal. Pipe a sound file in, or name one.")
        }
        let descriptor = try unnamedFile()
        let output = OutputStream(descriptor: descriptor)
        try await input.read { chunk in
            guard lseek(descriptor, 0, SEEK_CUR) + chunk.count <= limit else {
                throw DomainError.invalidInput("The sound on standard input is larger than 1 GiB. Send less of it.")
            }
            try output.write(chunk)
            return true
        }
        guard lseek(descriptor, 0, SEEK_CUR) > 0 else {
            throw DomainError.file("Standard input is empty. Pipe a sound file in.")
        }
        let path = path(of: descriptor)
        // Later readers of what is no sound would name the copy.
        do { _ = try SoundFileReader(path: path) } catch {
            let message = error.message.replacing(path, with: "standard input")
            throw DomainError(translating: AudioError(error.code, message))
        }
        return path
    }

    /// A file for this program alone that is deleted with its last descriptor.
    private static func unnamedFile() throws -> Int32 {
        let folder = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(folder)/parley-sound-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw DomainError.file("\(folder.printable) takes no file: \(String(cString: strerror(errno))).")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
        return descriptor
    }

    private static func path(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }
}

extension DomainError {
    /// The sentence for a file that a person named; `path` is the path that was opened.
    func sentence(naming name: String, openedAs path: String) -> Sentence {
        guard name == StandardSound.word else { return sentence }
        return Sentence(verbatim: message.replacing(path, with: "standard input"), elsewhere: sentence)
    }
}
