// SPDX-License-Identifier: MIT

import CommandLineArguments
import Concurrency
import DataLayer
import Domain
import FoundationEssentials
import Persistence

/// `parley cache limit`: shows or sets how many of a model's answers are kept, and how long.
struct CacheLimitCommand: Command {
    private static let megabytes = ValueOption<Int>(
        "megabytes", placeholder: "COUNT", help: "Keep at most so many megabytes (100); 0 keeps none",
        in: AnswerCacheLimit.sizes)
    private static let days = ValueOption<Int>(
        "days", placeholder: "COUNT", help: "Keep them so many days (7)", in: AnswerCacheLimit.ages)
    static let specification = CommandSpecification(
        path: ["cache", "limit"],
        summary: "Show or set how many of a model's answers are kept on this device, and how long",
        discussion: """
            A model's answer is kept if the question asks for a fact, is the first of its conversation, and the model says that
            the answer lasts. Asked again, the question gets it at once, without a network, with the date of the answer. The
            answers of another model or prompt are not used. When it is full, what you will hardly ask again goes first.
            Deleting history or conversations deletes all of them; --no-history keeps none and uses none.
            """,
        options: [megabytes, days])

    private let megabytes: Int?
    private let days: Int?

    init(_ invocation: Invocation) throws(UsageError) {
        (megabytes, days) = (invocation[Self.megabytes], invocation[Self.days])
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        var limit: AnswerCacheLimit
        let isChange = megabytes != nil || days != nil
        do { limit = try .load(from: app.paths.answerCacheLimit) ?? AnswerCacheLimit() } catch let error where isChange
        {
            console.warn("\(Sentence(error)) What is not given gets its default.")
            limit = AnswerCacheLimit()
        }
        if isChange {
            limit.megabytes = megabytes ?? limit.megabytes
            limit.days = days ?? limit.days
            try app.paths.makeConfigurationFolder()
            try limit.save(to: app.paths.answerCacheLimit)
            if !limit.keepsAnswers { try await app.clearAnswers() }
        }
        try console.tell(
            limit.keepsAnswers
                ? "Answers are kept for \(limit.days) days, \(limit.megabytes) megabytes of them."
                : "No answers are kept.")
        // Without JSON nobody is asked for the passphrase of the app lock.
        let usage = console.isJSON ? try? await answerUsage(in: app) : nil
        try console.emit(
            Output(megabytes: limit.megabytes, days: limit.days, entries: usage?.entries, bytes: usage?.bytes))
        return .done
    }

    /// The number and size of the kept answers.
    private func answerUsage(in app: CompositionRoot) async throws -> CacheUsage? {
        guard !AppPaths.isMissing(app.paths.answers) else { return nil }
        let store = try await app.answerStore(AnswerCacheLimit())
        let usage = try await store.usage()
        await store.close()
        return usage
    }

    private struct Output: Encodable {
        let megabytes, days: Int
        /// Nil if none was ever kept, or the app lock seals them.
        let entries, bytes: Int?
    }
}

/// `parley cache clear`: deletes the kept answers.
struct CacheClearCommand: Command {
    static let specification = CommandSpecification(
        path: ["cache", "clear"], summary: "Delete the model's answers that are kept on this device",
        discussion: "Conversations stay. To keep none from now on: parley cache limit --megabytes 0")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let count = try await app.clearAnswers()
        try console.tell(
            Sentence(one: "\(count) answer is deleted.", other: "\(count) answers are deleted.", count: count))
        try console.emit(["deleted": count])
        return .done
    }
}

extension CompositionRoot {
    /// Deletes the kept answers.
    ///
    /// - Returns: Their number.
    @discardableResult
    func clearAnswers() async throws -> Int {
        guard !AppPaths.isMissing(paths.answers) else { return 0 }
        let store = try await answerStore(AnswerCacheLimit())
        let count = try await store.usage().entries
        try await clear(store)
        return count
    }

    /// Deletes what was made of conversations: kept answers, the words of suggestions, the vectors of messages, the sound
    /// of answers, and the lines that were typed.
    ///
    /// Call it before messages are deleted: a deletion that fails here finds them again the next time.
    ///
    /// - Throws: The first error, after everything was tried.
    func clearWhatConversationsMade() async throws {
        let parts: [() async throws -> Void] = [
            { try await clearAnswers() },
            { try PromptHistory(path: paths.chatInputs).remove() },
            { if !AppPaths.isMissing(paths.speechCache) { try await clear(try await soundStore()) } },
            { if !AppPaths.isMissing(paths.settings) { try await suggestions().forgetShown() } },
            { if !AppPaths.isMissing(paths.vectors) { try await clear(try await vectorStore()) } },
        ]
        var first: (any Error)?
        for part in parts {
            do { try await part() } catch { first = first ?? error }
        }
        if let first { throw first }
    }

    private func clear(_ store: CacheStore) async throws {
        try await withCleanup {
            try await store.removeAll()
        } cleanup: {
            await store.close()
        }
    }
}
