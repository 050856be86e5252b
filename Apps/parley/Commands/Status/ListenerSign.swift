// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import DurableFiles
import Glibc

/// The file in which `parley listen` says what it does and how often it woke up, for `parley status`. It is locked while the program runs, so that
/// the word of one that was killed is not believed.
final class ListenerSign: Sendable {
    /// The content of the sign.
    struct Content: Equatable {
        var phase = VoiceLoop.Phase.idle
        /// The number of times that the wake word was heard since the program began.
        var wakeWords = 0
    }

    /// A word, a number and the line end; shorter ones are filled up, so that one write replaces the last ones as a whole.
    private static let length = 32

    private let file: OpenFile
    private let content = Guarded(Content())

    /// Takes the sign; nil if another program has it.
    init?(path: String) throws {
        file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW)
        // `content(at:)` has the lock shared for an instant, which keeps the sign from nobody.
        while try !file.tryLock() { guard try file.tryLock(exclusively: false) else { return nil } }
        try write(Content())
    }

    /// Shows what an event changes.
    func note(_ event: RoomEvent) throws {
        let changed: Content? = content.withLock { content in
            switch event {
            case .phase(let phase): content.phase = phase
            case .wakeWord: content.wakeWords += 1
            default: return nil
            }
            return content
        }
        if let changed { try write(changed) }
    }

    private func write(_ content: Content) throws {
        let words = Array("\(content.phase.rawValue) \(content.wakeWords)".utf8.prefix(Self.length - 1))
        let text = words + Array(repeating: UInt8(ascii: " "), count: Self.length - 1 - words.count) + [10]
        try text.withUnsafeBytes { try file.write($0, at: 0) }
    }

    /// The present state of `parley listen`; nil if it does not run.
    static func content(at path: String) throws -> Content? {
        let file: OpenFile
        do { file = try OpenFile(path, O_RDONLY | O_NOFOLLOW) } catch {
            guard AppPaths.isMissing(path) else { throw error }
            return nil
        }
        if try file.tryLock(exclusively: false) { return nil }
        let words = String(decoding: try file.bytes(at: 0, maximum: Self.length), as: UTF8.self).split {
            $0.isWhitespace
        }
        guard let phase = words.first.flatMap({ VoiceLoop.Phase(rawValue: String($0)) }) else { return nil }
        return Content(phase: phase, wakeWords: words.dropFirst().first.flatMap { Int($0) } ?? 0)
    }
}

extension AppPaths {
    /// The sign of the program that listens.
    var listener: String { data + "/listener" }
}
