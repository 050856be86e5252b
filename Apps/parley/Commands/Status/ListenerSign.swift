// SPDX-License-Identifier: MIT

import Domain
import DurableFiles
import Glibc

/// The file in which `parley listen` says what it does, for `parley status`. It is locked while the program runs, so that
/// the word of one that was killed is not believed.
final class ListenerSign: Sendable {
    /// A word and its line end; shorter words are filled up, so that one write replaces the last word as a whole.
    private static let length = 16

    private let file: OpenFile

    /// Takes the sign; nil if another program has it.
    init?(path: String) throws {
        file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW)
        // `phase(at:)` has the lock shared for an instant, which keeps the sign from nobody.
        while try !file.tryLock() { guard try file.tryLock(exclusively: false) else { return nil } }
        try show(.idle)
    }

    /// Shows a phase.
    func show(_ phase: VoiceLoop.Phase) throws {
        let word = Array(phase.rawValue.utf8.prefix(Self.length - 1))
        let text = word + Array(repeating: UInt8(ascii: " "), count: Self.length - 1 - word.count) + [10]
        try text.withUnsafeBytes { try file.write($0, at: 0) }
    }

    /// The phase of the program that listens now; nil if there is none.
    static func phase(at path: String) throws -> VoiceLoop.Phase? {
        let file: OpenFile
        do { file = try OpenFile(path, O_RDONLY | O_NOFOLLOW) } catch {
            guard AppPaths.isMissing(path) else { throw error }
            return nil
        }
        if try file.tryLock(exclusively: false) { return nil }
        let text = String(decoding: try file.bytes(at: 0, maximum: Self.length), as: UTF8.self)
        return VoiceLoop.Phase(rawValue: String(text.prefix { $0.isLetter }))
    }
}

extension AppPaths {
    /// The sign of the program that listens.
    var listener: String { data + "/listener" }
}
