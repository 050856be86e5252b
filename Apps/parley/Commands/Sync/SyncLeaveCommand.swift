// SPDX-License-Identifier: MIT

import Auth
import CommandLineArguments
import DataLayer
import DataSync
import Domain
import Security
import Sync
import TerminalKit

/// `parley sync leave`: ends sync on this device.
struct SyncLeaveCommand: Command {
    private static let isSure = Flag("yes", help: "Do not ask")
    static let specification = CommandSpecification(
        path: ["sync", "leave"], summary: "End sync on this device; its conversations stay here",
        discussion: """
            The other devices go on without it. With the last device the sealed objects stay at the place: delete them there,
            or begin anew with parley sync setup --replace.
            """,
        options: [isSure])

    private let isSure: Bool

    init(_ invocation: Invocation) throws(UsageError) { isSure = invocation.has(Self.isSure) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let settings = try app.syncSettings()
        guard
            try await console.confirmsDeletion(
                of: "this device's keys for sync, and removes it from the group. Its conversations stay" as Sentence,
                summary: "this device's keys for sync" as Sentence, isSure: isSure)
        else { return .done }
        do {
            try await app.withSync { sync in
                _ = try? await sync.exchange(isWhole: false)
                try await sync.device.remove(sync.device.id)
                _ = try await sync.device.sync(with: sync.transport, now: OpenSync.now, isWhole: false)
            }
        } catch let error as SyncError where error.code == .notMember {
            // Another device removed this one.
        } catch {
            if error is CancellationError { throw error }
            console.warn("The other devices still count this one: \(DomainError(translating: error).sentence)")
        }
        try await app.withSyncedData { try await $0.disable() }
        // The settings go last, so that a locked keyring or a crash leaves a device that can leave again.
        let secrets = try await SecretStoreChoice(settings.store).open(in: app)
        for account in ["device", "recovery", "password"] {
            try await secrets.delete(CompositionRoot.syncSecret(account))
        }
        try app.removeSyncFiles()
        console.progress("This device keeps its conversations to itself from now on.")
        try console.emit(["left": true])
        return .done
    }
}
