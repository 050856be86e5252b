// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// The contract of ``UploadConsentStore``, checked on an empty store.
public enum UploadConsentStoreContract {
    /// Every promise.
    public static let checks: [ContractCheck<any UploadConsentStore>] = [
        .init("nothing is there at first") { store in
            try await require(store.consent(of: "ada") == nil, "an answer out of nothing")
            try await require(store.held(of: "ada") == HeldUploads(), "something held out of nothing")
        },
        .init("an answer is read back unchanged") { store in
            for decision in UploadConsent.Decision.allCases {
                let answer = UploadConsent(decision, at: Date(timeIntervalSince1970: 1_700_000_000.25), textVersion: 7)
                try await store.store(answer, of: "ada", includingEarlier: false)
                try await require(store.consent(of: "ada") == answer, "changed, or not replaced")
            }
        },
        .init("an account's answer is its own") { store in
            let (yes, no) = (Self.answer(.given), Self.answer(.declined))
            try await store.store(yes, of: "ada", includingEarlier: true)
            try await store.store(no, of: "bob", includingEarlier: false)
            try await require(store.consent(of: "ada") == yes, "another account's answer")
            try await require(store.consent(of: "bob") == no, "another account's answer")
            try await require(store.consent(of: "eve") == nil, "another account's answer")
        },
        .init("changes begin at once and follow each answer") { store in
            var changes = store.changes(of: "ada").makeAsyncIterator()
            try await require(changes.next() != nil, "no first element")
            for decision in [UploadConsent.Decision.given, .withdrawn] {
                try await store.store(Self.answer(decision), of: "ada", includingEarlier: false)
                try await require(changes.next() != nil, "no element after an answer")
                try await require(store.consent(of: "ada")?.decision == decision, "an element before its answer")
            }
        },
        .init("changes end when their task is cancelled") { store in
            let task = Task { for await _ in store.changes(of: "ada") {} }
            task.cancel()
            await task.value
        },
        .init("of answers at the same time one holds") { store in
            try await concurrently(8) { number in
                let answer = UploadConsent(.given, at: Date(timeIntervalSince1970: Double(number + 1)))
                try await store.store(answer, of: "ada", includingEarlier: false)
            }
            let time = try await store.consent(of: "ada")?.decidedAt.timeIntervalSince1970
            try require((1...8).contains(time ?? 0), "an answer that nobody gave, or none")
        },
        .init("a cancelled answer is not stored, and says so") { store in
            try await requireCancelled { try await store.store(answer(.given), of: "ada", includingEarlier: false) }
            try await require(store.consent(of: "ada") == nil, "stored all the same")
        },
    ]

    private static func answer(_ decision: UploadConsent.Decision) -> UploadConsent {
        UploadConsent(decision, at: Date(timeIntervalSince1970: 1_700_000_000))
    }
}

extension UploadConsentStore {
    /// Lets an account send, and makes its gate, which the server never closes.
    public func openGate(of account: String) async throws -> UploadGate {
        let consent = UploadConsent(.given, at: Date(timeIntervalSince1970: 1_700_000_000))
        try await store(consent, of: account, includingEarlier: false)
        return UploadGate(account: account, store: self) { true }
    }
}

/// An ``UploadConsentStore`` that forgets everything when it is released, and holds nothing back.
public actor InMemoryUploadConsentStore: UploadConsentStore {
    private var consents: [String: UploadConsent] = [:]
    private var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var nextWatcher = 0

    /// Makes a store with some answers.
    public init(_ consents: [String: UploadConsent] = [:]) { self.consents = consents }

    /// See ``UploadConsentStore``.
    public func consent(of account: String) -> UploadConsent? { consents[account] }

    /// See ``UploadConsentStore``.
    public func store(_ consent: UploadConsent, of account: String, includingEarlier: Bool) throws {
        try Task.checkCancellation()
        consents[account] = consent
        for watcher in watchers.values { watcher.yield() }
    }

    /// See ``UploadConsentStore``.
    public func held(of account: String) -> HeldUploads { HeldUploads() }

    /// See ``UploadConsentStore``.
    public nonisolated func changes(of account: String) -> AsyncStream<Void> {
        let (changes, entry) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        entry.yield()
        let registration = Task { await add(entry) }
        entry.onTermination = { _ in
            Task {
                let number = await registration.value
                await self.remove(number)
            }
        }
        return changes
    }

    /// Tells the watchers that the data of the permission has changed.
    public func touch() { for watcher in watchers.values { watcher.yield() } }

    private func add(_ watcher: AsyncStream<Void>.Continuation) -> Int {
        nextWatcher += 1
        watchers[nextWatcher] = watcher
        // Reports the changes from before this watcher was registered.
        watcher.yield()
        return nextWatcher
    }

    private func remove(_ number: Int) { watchers[number] = nil }
}
