// SPDX-License-Identifier: MIT

import Concurrency
import DataLayer
import Domain
import DomainTestSupport
import Foundation
import Persistence
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct StoredAnswerCacheTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("answers.sqlite") }
    private let answer = KeptAnswer(
        question: "Who wrote Dracula?", text: "planted answer", model: "m", confidence: 1,
        answeredAt: Date(timeIntervalSince1970: 1_790_000_000))
    private let question: FactQuestion

    init() throws {
        folder = try TemporaryFolder()
        question = try #require(FactQuestion("who wrote Dracula"))
    }

    private func cache(
        space: String = "s", _ configuration: CacheStore.Configuration = .init(), asked: [(String, Date)] = [],
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> StoredAnswerCache {
        let path = path
        let messages = asked.map { text, time in
            Message(
                conversation: .init(), turn: TurnID(), role: .user, modality: .text, text: text, createdAt: time)
        }
        return StoredAnswerCache(space: space, history: { messages }, now: now) {
            try await CacheStore(at: path, configuration: configuration, now: now)
        }
    }

    @Test(arguments: AnswerCacheContract.checks)
    func `the file keeps the contract`(check: ContractCheck<any AnswerCache>) async throws {
        let cache = cache()
        try await check.run(cache)
        await cache.close()
    }

    @Test func `an answer is there after a restart, for the same model alone`() async {
        let first = cache()
        await first.keep(answer, to: question)
        await first.close()
        let again = cache()
        #expect(await again.answer(to: question) == answer)
        await again.close()
        let other = cache(space: "another model")
        #expect(await other.answer(to: question) == nil)
        await other.close()
    }

    @Test func `an answer that is too old or of the future is not given`() async {
        let now = Guarded(Date(timeIntervalSince1970: 1_790_000_000))
        let cache = cache(now: { now.withLock { $0 } })
        await cache.keep(answer, to: question)
        now.withLock { $0 += 7 * 86_400 - 1 }
        #expect(await cache.answer(to: question) == answer)
        now.withLock { $0 += 2 }
        #expect(await cache.answer(to: question) == nil)
        await cache.keep(answer, to: question)
        // The clock is set back a year.
        now.withLock { $0 -= 365 * 86_400 }
        #expect(await cache.answer(to: question) == nil)
        await cache.close()
    }

    @Test func `a full cache drops the answer that was not used for longest`() async throws {
        let cache = cache(.init(maximumBytes: 2_000, hitsPerWrite: 1))
        let questions = try (0..<20).map { try #require(FactQuestion("what is 2 * \($0)")) }
        await cache.keep(answer, to: questions[0])
        for other in questions.dropFirst() {
            #expect(await cache.answer(to: questions[0]) == answer)
            await cache.keep(answer, to: other)
        }
        #expect(await cache.answer(to: questions[0]) == answer)
        #expect(await cache.answer(to: questions[1]) == nil)
        #expect(await cache.answer(to: questions[19]) == answer)
        await cache.close()
    }

    /// One answer takes about 180 bytes, so 2,000 have room for eleven.
    private func questions(_ count: Int) throws -> [FactQuestion] {
        try (0..<count).map { try #require(FactQuestion("what is 2 * \($0)")) }
    }

    @Test func `a full cache keeps what the person asks each day`() async throws {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let asked = (1...20).map { ("Please, what is 2 * 0?", now.addingTimeInterval(-86_400 * Double($0))) }
        let cache = cache(.init(maximumBytes: 2_000), asked: asked, now: { now })
        let questions = try questions(30)
        for question in questions { await cache.keep(answer, to: question) }
        #expect(await cache.answer(to: questions[0]) == answer)
        #expect(await cache.answer(to: questions[1]) == nil)
        #expect(await cache.answer(to: questions[29]) == answer)
        await cache.close()
    }

    @Test func `an unlikely answer takes no likely one's place`() async throws {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let questions = try questions(30)
        let asked = questions.dropFirst().flatMap { question in
            (1...20).map { (question.key, now.addingTimeInterval(-86_400 * Double($0))) }
        }
        let cache = cache(.init(maximumBytes: 2_000), asked: asked, now: { now })
        for question in questions.dropFirst() { await cache.keep(answer, to: question) }
        await cache.keep(answer, to: questions[0])
        #expect(await cache.answer(to: questions[0]) == nil)
        #expect(await cache.answer(to: questions[29]) == answer)
        await cache.close()
    }

    @Test func `answers of another model go first`() async throws {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let questions = try questions(15)
        let asked = [(questions[0].key, now.addingTimeInterval(-3_600))]
        let mine = cache(.init(maximumBytes: 2_000), asked: asked, now: { now })
        await mine.keep(answer, to: questions[0])
        await mine.close()
        let other = cache(space: "other", .init(maximumBytes: 2_000), now: { now })
        for question in questions.dropFirst().prefix(9) { await other.keep(answer, to: question) }
        await other.close()
        let again = cache(.init(maximumBytes: 2_000), asked: asked, now: { now })
        for question in questions.suffix(3) { await again.keep(answer, to: question) }
        #expect(await again.answer(to: questions[0]) == answer)
        await again.close()
        let others = cache(space: "other", now: { now })
        #expect(await others.answer(to: questions[1]) == nil)
        await others.close()
    }

    @Test func `a damaged file costs the kept answers and nothing else`() async throws {
        try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(filePath: path))
        let cache = cache()
        #expect(await cache.answer(to: question) == nil)
        await cache.keep(answer, to: question)
        #expect(await cache.answer(to: question) == answer)
        await cache.close()
    }
}
