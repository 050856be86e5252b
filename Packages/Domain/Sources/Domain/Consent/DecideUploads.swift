// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A person's decision about uploads of their account, and what follows from it.
public struct DecideUploads: Sendable {
    /// The decision and its effect.
    public struct Standing: Hashable, Sendable {
        /// The person's answer; nil before it.
        public let consent: UploadConsent?
        /// The permission to send that follows from it.
        public let permission: UploadPermission
        /// The items that are kept back on this device.
        public let held: HeldUploads
    }

    private let account: String
    private let store: any UploadConsentStore
    private let gate: UploadGate
    private let now: @Sendable () -> Date

    /// A use case.
    ///
    /// - Parameters:
    ///   - account: The account that is signed in.
    ///   - gate: The same account's.
    ///   - now: The wall clock.
    public init(
        account: String, store: any UploadConsentStore, gate: UploadGate,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.account = account
        self.store = store
        self.gate = gate
        self.now = now
    }

    /// The present decision and its effect.
    ///
    /// - Throws: ``DomainError`` or `CancellationError`.
    public func standing() async throws -> Standing {
        Standing(
            consent: try await store.consent(of: account), permission: try await gate.permission(),
            held: try await store.held(of: account))
    }

    /// True if the person still has to answer. The server's switch is irrelevant here, so it is not read.
    ///
    /// - Throws: ``DomainError`` or `CancellationError`.
    public func needsAnswer() async throws -> Bool {
        UploadPermission(consent: try await store.consent(of: account), isSwitchedOn: true).needsAnswer
    }

    /// Stores an answer to the current text. It holds from then on, also for an upload that runs.
    ///
    /// - Parameter includesEarlier: Also lets out what was kept before, which only a yes does.
    /// - Returns: The answer.
    /// - Throws: ``DomainError`` or `CancellationError`.
    @discardableResult
    public func answer(
        _ decision: UploadConsent.Decision, includingEarlier includesEarlier: Bool = false
    ) async throws -> UploadConsent {
        let consent = UploadConsent(decision, at: now())
        try await store.store(consent, of: account, includingEarlier: includesEarlier && decision == .given)
        return consent
    }

    /// Deletes what the server has. This device changes its record only after the server's receipt, so that nothing
    /// that is still at the server counts as deleted.
    ///
    /// - Parameters:
    ///   - server: Deletes what the account's server has.
    ///   - forget: Notes on this device that the server has nothing.
    /// - Throws: The errors of either.
    public func deleteSent(
        server: @Sendable () async throws -> DeletionReceipt, forget: @Sendable () async throws -> Void
    ) async throws -> DeletionReceipt {
        let receipt = try await server()
        try await forget()
        return receipt
    }
}
