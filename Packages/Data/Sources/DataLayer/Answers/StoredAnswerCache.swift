// SPDX-License-Identifier: MIT

import Digests
public import Domain
import FoundationEssentials
public import Persistence

/// Kept answers in a bounded file, which the app lock seals with the other data. The file is opened by the first use. One
/// that cannot be opened or read costs the answer, and nothing else.
public struct StoredAnswerCache: AnswerCache {
    private let space: String
    private let cache: LazyCacheStore

    /// A cache in a file.
    ///
    /// - Parameters:
    ///   - space: The server, the model and its instructions, on which the answers depend. Those of another space are not found.
    ///   - open: Opens the file.
    public init(space: String, _ open: @escaping @Sendable () async throws -> CacheStore) {
        (self.space, cache) = (space, LazyCacheStore(open))
    }

    /// See `AnswerCache`.
    public func answer(to question: FactQuestion) async -> KeptAnswer? {
        guard let entry = try? await cache.store()?.entry(for: name(of: question)) else { return nil }
        return try? Self.decoder.decode(KeptAnswer.self, from: Data(entry.value))
    }

    /// See `AnswerCache`.
    public func keep(_ answer: KeptAnswer, to question: FactQuestion) async {
        guard let bytes = try? Self.encoder.encode(answer) else { return }
        try? await cache.store()?.set(Array(bytes), for: name(of: question))
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
