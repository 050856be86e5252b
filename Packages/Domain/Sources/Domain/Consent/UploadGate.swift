// SPDX-License-Identifier: MIT

/// Lets recordings and results out of this machine only while their account's person and server allow it.
public struct UploadGate: Sendable {
    private let account: String
    private let store: any UploadConsentStore
    private let isSwitchedOn: @Sendable () async throws -> Bool

    /// The gate of an account.
    ///
    /// - Parameters:
    ///   - account: The account that is signed in.
    ///   - store: Its person's answer.
    ///   - isSwitchedOn: Its server's flag, as it is known on this device.
    public init(
        account: String, store: any UploadConsentStore, isSwitchedOn: @escaping @Sendable () async throws -> Bool
    ) {
        self.account = account
        self.store = store
        self.isSwitchedOn = isSwitchedOn
    }

    /// The permission to send now.
    ///
    /// - Throws: The store's errors.
    public func permission() async throws -> UploadPermission {
        UploadPermission(consent: try await store.consent(of: account), isSwitchedOn: try await isSwitchedOn())
    }

    /// Returns the permission once it differs from `known`.
    ///
    /// - Throws: `CancellationError`, or the store's errors.
    @discardableResult
    public func waitForChange(from known: UploadPermission) async throws -> UploadPermission {
        for await _ in store.changes(of: account) {
            let permission = try await permission()
            if permission != known { return permission }
        }
        try Task.checkCancellation()
        throw DomainError.unusable(.consent)
    }

    /// Runs `body` while uploads are allowed, and cancels it at the moment when they no longer are.
    ///
    /// - Throws: ``DomainError/notAllowed(_:)`` if they are not, or no longer; else the errors of `body` or the store.
    public func whileAllowed<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await permission().check()
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask(operation: body)
            group.addTask {
                try await waitForChange(from: .allowed).check()
                throw CancellationError()
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}

/// An evaluator at a server, which gets a recording only while uploads are allowed.
public struct GatedEvaluator: RecordingEvaluator {
    private let gate: UploadGate
    private let evaluator: any RecordingEvaluator

    /// Puts a gate before an evaluator.
    public init(_ evaluator: any RecordingEvaluator, behind gate: UploadGate) {
        self.evaluator = evaluator
        self.gate = gate
    }

    /// See ``RecordingEvaluator``. Throws ``DomainError/notAllowed(_:)`` if uploads are not allowed, or not any more.
    public func evaluate(_ recording: Recording, of cue: Cue) -> AsyncThrowingStream<EvaluationProgress, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    try await gate.whileAllowed {
                        for try await progress in evaluator.evaluate(recording, of: cue) {
                            continuation.yield(progress)
                        }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
