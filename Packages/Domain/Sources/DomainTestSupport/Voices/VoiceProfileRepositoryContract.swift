// SPDX-License-Identifier: MIT

public import Domain

/// The promises of every `VoiceProfileRepository`, checked on an empty repository.
public enum VoiceProfileRepositoryContract {
    /// Every promise.
    public static let checks: [ContractCheck<any VoiceProfileRepository>] = [
        .init("nothing is there at first") { voices in
            try await require(voices.profiles().isEmpty, "found what never was")
            try await require(voices.active() == nil, "active without a profile")
            try await require(!voices.delete(.init()), "deleted what never was")
            try await voices.activate(nil)
        },
        .init("profiles are read back unchanged, by name") { voices in
            let (second, first) = (try profile("bea", rate: 1.25, pitch: 0.8), try profile("Ann", voice: "Où là 🚉"))
            for profile in [second, first] { try await voices.store(profile) }
            try await require(voices.profiles() == [first, second], "changed, or in another order")
        },
        .init("storing an id again replaces its profile") { voices in
            let old = try profile("ann")
            let new = try VoiceProfile(
                id: old.id, name: "anna", engine: "other", voice: "v", rate: 2, pitch: 0.5, stability: 0,
                similarity: 1)
            for profile in [old, new] { try await voices.store(profile) }
            try await require(voices.profiles() == [new], "not replaced")
        },
        .init("a name belongs to one profile") { voices in
            let (one, two) = (try profile("ann"), try profile("bea"))
            for profile in [one, two] { try await voices.store(profile) }
            try await requireError(code: "invalidInput") { try await voices.store(try profile("ann")) }
            let renamed = try VoiceProfile(id: two.id, name: "ann", engine: "e", voice: "v")
            try await requireError(code: "invalidInput") { try await voices.store(renamed) }
            try await require(voices.profiles() == [one, two], "a refused profile changed something")
        },
        .init("the active one is a stored one, with its last values") { voices in
            let one = try profile("ann")
            try await requireError(code: "notFound") { try await voices.activate(one.id) }
            try await voices.store(one)
            try await require(voices.active() == nil, "active by itself")
            try await voices.activate(one.id)
            try await require(voices.active() == one, "not active")
            let faster = try VoiceProfile(id: one.id, name: "ann", engine: "e", voice: "v", rate: 2)
            try await voices.store(faster)
            try await require(voices.active() == faster, "not its last values")
            try await voices.activate(nil)
            try await require(voices.active() == nil, "still active")
        },
        .init("what is deleted is gone and not active, and the rest stays") { voices in
            let (one, two) = (try profile("ann"), try profile("bea"))
            for profile in [one, two] { try await voices.store(profile) }
            try await voices.activate(one.id)
            try await require(voices.delete(one.id), "it was there")
            try await require(!voices.delete(one.id), "deleted twice")
            try await require(voices.profiles() == [two], "too much or too little is gone")
            try await require(voices.active() == nil, "still active")
            try await voices.store(one)
            try await require(voices.active() == nil, "active again by itself")
        },
        .init("profiles stored at the same time are all there") { voices in
            let all = try (0..<10).map { try profile("voice-\($0)") }
            try await concurrently(10) { try await voices.store(all[$0]) }
            try await require(voices.profiles() == all, "lost or mixed")
        },
        .init("a cancelled store stores nothing and says so") { voices in
            let late = try profile("late")
            try await requireCancelled { try await voices.store(late) }
            try await require(voices.profiles().isEmpty, "stored all the same")
        },
    ]

    private static func profile(
        _ name: String, voice: String = "slt", rate: Double = 1, pitch: Double = 1
    ) throws -> VoiceProfile {
        try VoiceProfile(name: name, engine: "flite", voice: voice, rate: rate, pitch: pitch)
    }
}

/// A `VoiceProfileRepository` that forgets everything when it is released.
public actor InMemoryVoiceProfileRepository: VoiceProfileRepository {
    private var stored: [Identifier<VoiceProfile>: VoiceProfile] = [:]
    private var activeID: Identifier<VoiceProfile>?

    /// Makes an empty repository.
    public init() {}

    /// See `VoiceProfileRepository`.
    public func profiles() -> [VoiceProfile] { stored.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) } }

    /// See `VoiceProfileRepository`.
    public func store(_ profile: VoiceProfile) throws {
        try Task.checkCancellation()
        guard !stored.values.contains(where: { $0.name == profile.name && $0.id != profile.id }) else {
            throw DomainError.invalidInput("There is a voice profile \(profile.name) already.")
        }
        stored[profile.id] = profile
    }

    /// See `VoiceProfileRepository`.
    public func delete(_ id: Identifier<VoiceProfile>) -> Bool {
        if activeID == id { activeID = nil }
        return stored.removeValue(forKey: id) != nil
    }

    /// See `VoiceProfileRepository`.
    public func active() -> VoiceProfile? { activeID.flatMap { stored[$0] } }

    /// See `VoiceProfileRepository`.
    public func activate(_ id: Identifier<VoiceProfile>?) throws {
        if let id, stored[id] == nil { throw DomainError.notFound("voice profile") }
        activeID = id
    }
}
