// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import Security
import Sync
import SyncWire
import TerminalKit

/// `parley sync move`: exchanges at another place from now on.
struct SyncMoveCommand: Command {
    static let specification = CommandSpecification(
        path: ["sync", "move"], summary: "Meet your other devices at another place from now on",
        discussion: """
            parley sync move --server
            Run it on each device; until then they do not see each other's changes. The sealed objects stay at the old place;
            delete them there when the last device has moved.
            """,
        options: SyncPlace.options)

    private let place: SyncPlace

    init(_ invocation: Invocation) throws(UsageError) {
        guard let place = try SyncPlace(invocation) else {
            throw invocation.error("Name the new place: --folder DIR, --server, --webdav URL or --sftp URL.")
        }
        self.place = place
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let old = try app.syncSettings()
        guard old.place != place else {
            throw DomainError.invalidInput("Your devices meet at \(place.sentence) already.")
        }
        // Changes of this device go along in any case; this fetches those that only the old place has.
        do { _ = try await app.withSync { try await $0.exchange(isWhole: true) } } catch {
            if error is CancellationError { throw error }
            console.warn(
                "\(old.place.sentence) was not asked once more: \(DomainError(translating: error).sentence)")
        }
        let secrets = try await SecretStoreChoice(old.store).open(in: app)
        let password = try CompositionRoot.syncSecret("password")
        let oldPassword = try await secrets.value(for: password)
        var settings = try await app.syncSettings(at: place, store: old.store, console)
        settings.isPaused = old.isPaused
        let report: ExchangeReport
        do { report = try await exchange(settings, app) } catch {
            if let oldPassword { try await secrets.set(oldPassword, for: password) }
            throw error
        }
        if case .webdav = place {} else { try await secrets.delete(password) }
        // A place that is new lacks what the old one had.
        for finding in report.findings where finding.kind != .rolledBack { console.warn(finding.sentence) }
        console.progress("This device meets the others at \(place.sentence) now. Run this on each of them.")
        try console.emit(SyncReportOutput(report))
        return .done
    }

    /// Exchanges everything at the new place, and keeps to it.
    private func exchange(_ settings: SyncSettings, _ app: CompositionRoot) async throws -> ExchangeReport {
        let keys = try await app.syncKeys(in: settings.store)
        return try await app.withSyncDatabase { database in
            let device = try await SyncDevice.open(in: database, keys: keys)
            let founding = SyncObjectName.membership(hash: try await device.invitation().group.bytes)
            return try await app.withOpenSync(device, in: database, settings) { sync in
                guard try await sync.transport.isFree(for: founding) else {
                    throw DomainError.invalidInput(
                        "Other devices meet at \(place.sentence), which are not yours, or which you set up apart from "
                            + "these. Name another place.")
                }
                let report = try await sync.exchange(isWhole: true)
                try settings.save(to: app.paths.syncSettings)
                return report
            }
        }
    }
}

extension SyncTransport {
    /// True if no group has this place, or the one that a record begins.
    fileprivate func isFree(for founding: SyncObjectName) async throws -> Bool {
        let records = try await objects().filter(\.isMembership)
        return records.isEmpty || records.contains(founding)
    }
}
