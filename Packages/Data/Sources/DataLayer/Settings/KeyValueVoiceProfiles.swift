// SPDX-License-Identifier: MIT

public import Domain
package import Persistence

/// Voice profiles in the key-value store of the settings, whose export and erasure they share.
public struct KeyValueVoiceProfiles: VoiceProfileRepository {
    /// Opens the store; nil stands for one that was never written, which reading does not make.
    private let file: @Sendable (_ writes: Bool) async throws -> KeyValueFile?

    /// Profiles in a file.
    public init(_ file: KeyValueFile) { self.init { _ in file } }

    /// Profiles in a file that is found for each call.
    ///
    /// - Parameter file: Returns the file; nil if it is missing and the call does not write.
    public init(file: @escaping @Sendable (_ writes: Bool) async throws -> KeyValueFile?) { self.file = file }

    /// See `VoiceProfileRepository`.
    public func profiles() async throws -> [VoiceProfile] { try await read { try $0.voiceProfiles() } ?? [] }

    /// See `VoiceProfileRepository`.
    public func store(_ profile: VoiceProfile) async throws {
        try await write { store in
            guard try !store.voiceProfiles().contains(where: { $0.name == profile.name && $0.id != profile.id }) else {
                throw DomainError.invalidInput("There is a voice profile \(profile.name) already. Give another name.")
            }
            try store.set(StoredVoiceProfile(profile), for: .voiceProfile(profile.id))
        }
    }

    /// See `VoiceProfileRepository`.
    public func delete(_ id: Identifier<VoiceProfile>) async throws -> Bool {
        guard try await read({ try $0.value(for: .voiceProfile(id)) != nil }) == true else { return false }
        return try await write { store in
            guard try store.value(for: .voiceProfile(id)) != nil else { return false }
            try store.set(nil, for: .voiceProfile(id))
            if try store.value(for: .activeVoiceProfile) == id.description {
                try store.set(nil, for: .activeVoiceProfile)
            }
            return true
        }
    }

    /// See `VoiceProfileRepository`.
    public func active() async throws -> VoiceProfile? {
        try await read { store in
            guard let id = try store.value(for: .activeVoiceProfile).flatMap(Identifier<VoiceProfile>.init) else {
                return nil
            }
            return try store.value(for: .voiceProfile(id))?.profile(id)
        } ?? nil
    }

    /// See `VoiceProfileRepository`.
    public func activate(_ id: Identifier<VoiceProfile>?) async throws {
        let active = try await read { try $0.value(for: .activeVoiceProfile) } ?? nil
        guard active != id?.description else { return }
        try await write { store in
            if let id, try store.value(for: .voiceProfile(id)) == nil { throw DomainError.notFound("voice profile") }
            try store.set(id?.description, for: .activeVoiceProfile)
        }
    }

    private func read<Value: Sendable>(
        _ body: @Sendable (KeyValueTransaction<Connection>) throws -> Value
    ) async throws -> Value? {
        try Task.checkCancellation()
        return try await file(false)?.read(body)
    }

    private func write<Value: Sendable>(
        _ body: @Sendable (KeyValueTransaction<WritableConnection>) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        guard let file = try await file(true) else { throw DomainError.storage("The settings cannot be written.") }
        return try await file.write(body)
    }
}

/// A voice profile as it is stored; its key has the id.
package struct StoredVoiceProfile: Codable, Sendable, Equatable {
    package var name: String
    package var engine: String
    package var voice: String
    package var rate: Double
    package var pitch: Double
    package var stability: Double
    package var similarity: Double

    package init(_ profile: VoiceProfile) {
        (name, engine, voice) = (profile.name, profile.engine, profile.voice)
        (rate, pitch, stability, similarity) = (profile.rate, profile.pitch, profile.stability, profile.similarity)
    }

    /// The profile; nil for values that this program does not take.
    package func profile(_ id: Identifier<VoiceProfile>) -> VoiceProfile? {
        try? VoiceProfile(
            id: id, name: name, engine: engine, voice: voice, rate: rate, pitch: pitch, stability: stability,
            similarity: similarity)
    }
}

extension KeyValueKey<StoredVoiceProfile> {
    /// The namespace of voice profiles.
    package static let voiceProfiles = "voice profiles"

    /// A voice profile.
    package static func voiceProfile(_ id: Identifier<VoiceProfile>) -> KeyValueKey<StoredVoiceProfile> {
        KeyValueKey(id.description, in: voiceProfiles)
    }
}

extension KeyValueKey<String> {
    /// The id of the active voice profile.
    package static let activeVoiceProfile = KeyValueKey<String>("voice profile", in: "in use")
}

extension KeyValueTransaction {
    /// All voice profiles by name and id.
    package func voiceProfiles() throws -> [VoiceProfile] {
        try names(in: KeyValueKey<StoredVoiceProfile>.voiceProfiles)
            .compactMap { text in
                guard let id = Identifier<VoiceProfile>(text) else { return nil }
                return try value(for: .voiceProfile(id))?.profile(id)
            }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }
}
