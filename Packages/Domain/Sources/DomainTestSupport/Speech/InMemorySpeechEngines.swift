// SPDX-License-Identifier: MIT

public import Domain

/// A ``SpeechEngineRepository`` in memory.
public actor InMemorySpeechEngines: SpeechEngineRepository {
    private var stored = SpeechEngineList()
    private let failure: DomainError?

    /// Makes an empty repository, or one whose every call fails.
    public init(failure: DomainError? = nil) { self.failure = failure }

    /// See `SpeechEngineRepository`.
    public func list() throws -> SpeechEngineList {
        try check()
        return stored
    }

    /// See `SpeechEngineRepository`.
    public func add(_ engine: SpeechEngine) throws {
        try check()
        try Self.check(engine, against: stored)
        stored = SpeechEngineList(stored.engines + [engine], used: stored.used)
    }

    /// See `SpeechEngineRepository`.
    public func update(_ engine: SpeechEngine) throws {
        try check()
        guard stored.engine(named: engine.name) != nil else { throw Self.missing(engine.name) }
        stored = SpeechEngineList(stored.engines.filter { $0.name != engine.name } + [engine], used: stored.used)
    }

    /// See `SpeechEngineRepository`.
    @discardableResult
    public func remove(_ name: String) throws -> Set<SpeechEngine.Purpose> {
        try check()
        guard stored.engine(named: name) != nil else { throw Self.missing(name) }
        let purposes = Set(stored.used.filter { $0.value == name }.keys)
        stored = SpeechEngineList(stored.engines.filter { $0.name != name }, used: stored.used)
        return purposes
    }

    /// See `SpeechEngineRepository`.
    public func use(_ name: String, for purposes: Set<SpeechEngine.Purpose>) throws {
        try check()
        var used = stored.used
        if name == SpeechEngine.local {
            for purpose in purposes { used[purpose] = nil }
        } else {
            guard let engine = stored.engine(named: name) else { throw Self.missing(name) }
            try Self.check(engine, for: purposes)
            for purpose in purposes { used[purpose] = name }
        }
        stored = SpeechEngineList(stored.engines, used: used)
    }

    private func check() throws {
        try Task.checkCancellation()
        if let failure { throw failure }
    }
}
