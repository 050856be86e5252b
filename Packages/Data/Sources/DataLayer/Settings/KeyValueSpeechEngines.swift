// SPDX-License-Identifier: MIT

public import Domain
import Persistence

/// The configured speech engines in a person's file of settings.
public struct KeyValueSpeechEngines: SpeechEngineRepository {
    private let file: KeyValueFile

    /// The engines of a file, which the first addition makes.
    public init(_ file: KeyValueFile) { self.file = file }

    /// See `SpeechEngineRepository`.
    public func list() async throws -> SpeechEngineList {
        try Task.checkCancellation()
        return try await file.read { try $0.speechEngines() } ?? SpeechEngineList()
    }

    /// See `SpeechEngineRepository`.
    public func add(_ engine: SpeechEngine) async throws {
        try Task.checkCancellation()
        try await file.write { settings in
            try Self.check(engine, against: try settings.speechEngines())
            try settings.set(StoredSpeechEngine(engine), for: .speechEngine(engine.name))
        }
    }

    /// See `SpeechEngineRepository`.
    public func update(_ engine: SpeechEngine) async throws {
        try await changing(engine.name) { settings, list in
            guard list.engine(named: engine.name) != nil else { throw Self.missing(engine.name) }
            try settings.set(StoredSpeechEngine(engine), for: .speechEngine(engine.name))
        }
    }

    /// See `SpeechEngineRepository`.
    @discardableResult
    public func remove(_ name: String) async throws -> Set<SpeechEngine.Purpose> {
        try await changing(name) { settings, list in
            guard list.engine(named: name) != nil else { throw Self.missing(name) }
            try settings.set(nil, for: .speechEngine(name))
            let purposes = Set(list.used.filter { $0.value == name }.keys)
            for purpose in purposes { try settings.set(nil, for: .usedSpeechEngine(purpose)) }
            return purposes
        }
    }

    /// See `SpeechEngineRepository`.
    public func use(_ name: String, for purposes: Set<SpeechEngine.Purpose>) async throws {
        let isLocal = name == SpeechEngine.local
        if isLocal, try await list().used.isEmpty { return }
        try await changing(isLocal ? nil : name) { settings, list in
            if !isLocal {
                guard let engine = list.engine(named: name) else { throw Self.missing(name) }
                try Self.check(engine, for: purposes)
            }
            for purpose in purposes { try settings.set(isLocal ? nil : name, for: .usedSpeechEngine(purpose)) }
        }
    }

    /// Changes the file, which is not made to say that nothing is in it.
    private func changing<Value: Sendable>(
        _ name: String?,
        _ body: @Sendable (KeyValueTransaction<WritableConnection>, SpeechEngineList) throws -> Value
    ) async throws -> Value {
        let known = try await list()
        if let name, known.engine(named: name) == nil { throw Self.missing(name) }
        return try await file.write { try body($0, try $0.speechEngines()) }
    }
}

/// An engine as it is stored.
private struct StoredSpeechEngine: Codable {
    var kind: String
    var address: String
    var recognitionModel: String?
    var synthesisModel: String?
    var voice: String?
    var language: String?
    var stability: Double?
    var similarity: Double?
    var streams: Bool?
    var secret: String?
    var allowsPlainText: Bool?
    var sampleRate: Int?
    /// Milliseconds by purpose.
    var patience: [String: Int]?

    init(_ engine: SpeechEngine) {
        (kind, address) = (engine.kind.rawValue, engine.address)
        (recognitionModel, synthesisModel) = (engine.recognitionModel, engine.synthesisModel)
        (voice, language, secret, sampleRate) = (engine.voice, engine.language, engine.secret, engine.sampleRate)
        (stability, similarity) = (engine.stability, engine.similarity)
        streams = engine.streams ? true : nil
        allowsPlainText = engine.allowsPlainText ? true : nil
        let waits = engine.patience.map { ($0.key.rawValue, Int($0.value / .milliseconds(1))) }
        patience = waits.isEmpty ? nil : Dictionary(waits) { first, _ in first }
    }

    /// The engine; nil for a protocol of a newer program.
    func engine(named name: String) -> SpeechEngine? {
        guard let kind = SpeechEngine.Kind(rawValue: kind) else { return nil }
        var engine = SpeechEngine(name: name, kind: kind, address: address)
        (engine.recognitionModel, engine.synthesisModel) = (recognitionModel, synthesisModel)
        (engine.voice, engine.language, engine.secret, engine.sampleRate) = (voice, language, secret, sampleRate)
        (engine.stability, engine.similarity) = (stability, similarity)
        (engine.streams, engine.allowsPlainText) = (streams ?? false, allowsPlainText ?? false)
        for (purpose, milliseconds) in patience ?? [:] {
            if let purpose = SpeechEngine.Purpose(rawValue: purpose) {
                engine.patience[purpose] = .milliseconds(milliseconds)
            }
        }
        return engine
    }
}

extension KeyValueKey<StoredSpeechEngine> {
    fileprivate static let namespace = "speech engines"

    fileprivate static func speechEngine(_ name: String) -> KeyValueKey<StoredSpeechEngine> {
        KeyValueKey(name, in: namespace)
    }
}

extension KeyValueKey<String> {
    fileprivate static func usedSpeechEngine(_ purpose: SpeechEngine.Purpose) -> KeyValueKey<String> {
        KeyValueKey("speech \(purpose.rawValue)", in: "in use")
    }
}

extension KeyValueTransaction {
    fileprivate func speechEngines() throws -> SpeechEngineList {
        var engines: [SpeechEngine] = []
        for name in try names(in: KeyValueKey<StoredSpeechEngine>.namespace) {
            if let engine = try value(for: .speechEngine(name))?.engine(named: name) { engines.append(engine) }
        }
        var used: [SpeechEngine.Purpose: String] = [:]
        for purpose in SpeechEngine.Purpose.allCases { used[purpose] = try value(for: .usedSpeechEngine(purpose)) }
        return SpeechEngineList(engines, used: used)
    }
}
