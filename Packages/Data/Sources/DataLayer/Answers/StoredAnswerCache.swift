// SPDX-License-Identifier: MIT

import Digests
public import Domain
public import FoundationEssentials
import Glibc
public import Persistence

/// Kept answers in a bounded file, which the app lock seals with the other data. The file is opened by the first use. One
/// that cannot be opened or read costs the answer, and nothing else.
///
/// When the file is full, `AnswerRetention` in Domain decides by the person's own questions which answers go. Answers of
/// another space are for questions that the model does not know, and go first.
public struct StoredAnswerCache: AnswerCache {
    private let space: String
    private let cache: LazyCacheStore
    private let history: @Sendable () async throws -> [Message]
    private let now: @Sendable () -> Date

    /// A cache in a file.
    ///
    /// - Parameters:
    ///   - space: The server, the model and its instructions, on which the answers depend. Those of another space are not found.
    ///   - history: The person's messages of the last weeks, in any order. It is called only when the file is full; if it
    ///     fails, the answer that was not used for longest goes.
    ///   - now: The wall clock.
    ///   - open: Opens the file.
    public init(
        space: String, history: @escaping @Sendable () async throws -> [Message],
        now: @escaping @Sendable () -> Date = { Date() }, _ open: @escaping @Sendable () async throws -> CacheStore
    ) {
        (self.space, self.history, self.now, cache) = (space, history, now, LazyCacheStore(open))
    }

    /// See `AnswerCache`.
    public func answer(to question: FactQuestion) async -> KeptAnswer? {
        guard let entry = try? await cache.store()?.entry(for: name(of: question)) else { return nil }
        return try? Self.decoder.decode(KeptAnswer.self, from: Data(entry.value))
    }

    /// See `AnswerCache`.
    public func keep(_ answer: KeptAnswer, to question: FactQuestion) async {
        guard let bytes = try? Self.encoder.encode(answer), let name = try? name(of: question),
            let store = await cache.store(),
            (try? await makeRoom(bytes.count + name.utf8.count, for: name, in: store)) == true
        else { return }
        try? await store.set(Array(bytes), for: name)
    }

    /// Makes room for an answer. False if all others are worth their places more than it.
    private func makeRoom(_ size: Int, for name: String, in store: CacheStore) async throws -> Bool {
        guard try await store.usage().bytes + size > store.configuration.maximumBytes else { return true }
        let (messages, now) = ((try? await history()) ?? [], now())
        let asked = try messages.compactMap { message -> (String, Date)? in
            guard message.role == .user, let question = FactQuestion(message.text) else { return nil }
            return (try self.name(of: question), message.createdAt)
        }
        let model = ReuseModel(asked: asked, now: now, secondsFromGMT: { $0.local.tm_gmtoff })
        let (retention, age) = (AnswerRetention(model, at: now), store.configuration.maximumAge / .seconds(1))
        return try await store.makeRoom(for: size) { entries in
            let kept = entries.map {
                AnswerRetention.Item(question: $0.key, expiresAt: $0.storedAt.addingTimeInterval(age))
            }
            let new = AnswerRetention.Item(question: name, expiresAt: now.addingTimeInterval(age))
            return retention.removable(of: kept, for: new).map { entries[$0] }
        }
    }

    /// Closes the file.
    public func close() async { await cache.close() }

    // Milliseconds, which a date of the contract survives unchanged, and which an export shows as a number.
    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .millisecondsSince1970
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        return decoder
    }

    /// The hash of the question and its space, so that the index of the file has no words.
    private func name(of question: FactQuestion) throws -> String {
        try Hexadecimal.text(MessageDigest.hash("\(space.utf8.count) \(space)\(question.key)".utf8, .sha256))
    }
}
