// SPDX-License-Identifier: MIT

import Digests
public import Domain
public import FoundationEssentials
import Persistence

/// The choice about suggestions and what became of them, in a person's file of settings, which the app lock seals.
///
/// Of a dismissed suggestion only the id stays.
public struct KeyValueSuggestions: Sendable {
    private let file: KeyValueFile

    /// The suggestions of a file, which the first change makes.
    public init(_ file: KeyValueFile) { self.file = file }

    /// The id of a suggestion: 8 hexadecimal digits of the hash (SHA-256) of what tells its question from others.
    public static func id(of key: String) -> String {
        let hash = try? MessageDigest.hash(key.utf8, .sha256)
        return Hexadecimal.text(Array((hash ?? []).prefix(4)))
    }

    /// The state; the one before any choice if nothing is stored.
    ///
    /// - Throws: `DomainError.storage`, `CancellationError`.
    public func state() async throws -> SuggestionState { try await file.read { try $0.suggestions() } ?? .init() }

    /// Changes the choice.
    ///
    /// - Returns: The new choice.
    /// - Throws: `DomainError.storage`, `CancellationError`, the closure's error.
    @discardableResult
    public func change(
        _ body: @Sendable (inout SuggestionSettings) throws -> Void
    ) async throws -> SuggestionSettings {
        try await file.write { store in
            var settings = try store.suggestions().settings
            try body(&settings)
            try store.set(settings, for: .suggestionSettings)
            return settings
        }
    }

    /// Notes that a suggestion is shown now.
    ///
    /// - Returns: False if another program has shown one meanwhile, and then it is not to be shown.
    /// - Throws: `DomainError.storage`, `CancellationError`.
    public func claim(_ suggestion: Suggestion, at now: Date) async throws -> Bool {
        try await file.write { store in
            let state = try store.suggestions()
            let isTaken = state.shown.contains { abs(now.timeIntervalSince($0.shownAt)) < ChooseSuggestion.pause }
            guard state.settings.isOn, !isTaken else { return false }
            let days = Double(ChooseSuggestion.days)
            let recent = state.shown.filter { abs(now.timeIntervalSince($0.shownAt)) < days * 86_400 }
            try store.set(recent + [.init(suggestion, at: now)], for: .shownSuggestions)
            return true
        }
    }

    /// Notes that a suggestion is never to be shown again.
    ///
    /// - Throws: `DomainError.storage`, `CancellationError`.
    public func dismiss(_ id: String) async throws {
        try await file.write { store in
            try store.set(try store.suggestions().dismissed.union([id]).sorted(), for: .dismissedSuggestions)
        }
    }

    /// Forgets the words of the shown ones.
    ///
    /// - Throws: `DomainError.storage`, `CancellationError`.
    public func forgetShown() async throws {
        guard try await !state().shown.isEmpty else { return }
        try await file.write { try $0.set(nil, for: .shownSuggestions) }
        try await file.emptyLog()
    }
}

extension KeyValueKey<SuggestionSettings> {
    fileprivate static let suggestionSettings = KeyValueKey("choice", in: "suggestions")
}

extension KeyValueKey<[SuggestionState.Shown]> {
    fileprivate static let shownSuggestions = KeyValueKey("shown", in: "suggestions")
}

extension KeyValueKey<[String]> {
    fileprivate static let dismissedSuggestions = KeyValueKey("dismissed", in: "suggestions")
}

extension KeyValueTransaction {
    fileprivate func suggestions() throws -> SuggestionState {
        SuggestionState(
            settings: try value(for: .suggestionSettings) ?? .init(), shown: try value(for: .shownSuggestions) ?? [],
            dismissed: Set(try value(for: .dismissedSuggestions) ?? []))
    }
}
