// SPDX-License-Identifier: MIT

import AudioKitLinux
import Auth
import CommandLineArguments
import DataLayer
import Domain
import FoundationEssentials
import TerminalKit

/// `parley service`: sends the waiting items, keeps the person's devices in step, and rings timers and alarms, for as long
/// as it runs.
struct ServiceCommand: Command {
    static let specification = CommandSpecification(
        path: ["service"],
        summary: "Keep your devices in step, send new recordings and results, and ring, until it is stopped",
        discussion: """
            parley install makes it a service of your session. It waits without a network and until somebody signs in, goes on
            after a reboot where it was, and needs no root. It also fetches what other devices did, keeps to the limit of
            parley recordings limit, rings timers and alarms, and shows suggestions (parley suggestions on). What it cannot
            send is in parley uploads list.

            Where sync is set up (parley sync setup), it exchanges your conversations with your other devices at once, each 15
            minutes and when the network is back; that needs an account only if the place is parley-server. It notices
            parley sync pause, resume and leave, and waits while the app lock is closed. parley sync status shows what waits.
            """,
        options: [AccountOptions.server])

    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) { account = AccountOptions(invocation) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        // Before anything else writes to the terminal. Without one, sync waits while the app lock is closed.
        if try SyncSettings.load(from: app.paths.syncSettings) != nil, InputStream().isTerminal {
            try await app.unlock(app.sealedData)
        }
        let ringing = app.ringAlarms { .default }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                // Alarms that cannot be read are reported, and that ends nothing.
                try? await app.run(
                    ringing, notifies: true,
                    show: { try? await console.show($0, hint: "parley timers cancel --all stops it." as Sentence) })
            }
            group.addTask { await SyncService(app: app).run() }
            group.addTask {
                await app.suggestMeanwhile(notifies: true) { suggestion in
                    console.progress(suggestion.sentence)
                    try? console.emit(SuggestionEvent(suggestion))
                }
            }
            return try await send(in: app, console: console)
        }
    }

    private func send(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let watch = FilesWatch(app.paths.signInFiles)
        defer { watch.close() }
        var changes = watch.changes.makeAsyncIterator()
        while true {
            let wasSignedIn = try await app.withPractice(account) { practice in
                guard let account = practice.session.account, let sync = practice.sync else { return false }
                try await serve(practice, account, sync, app, watch)
                return true
            }
            try Task.checkCancellation()
            if wasSignedIn { continue }
            console.progress("Nobody is signed in. Waiting for parley sign-in.")
            try console.emit(["event": "waiting"])
            // Any change may be a sign-in; opening everything anew shows it.
            while try await !isSignedIn(app) {
                guard await changes.next() != nil else {
                    try Task.checkCancellation()
                    throw DomainError.signInNeeded
                }
            }
        }
    }

    private func isSignedIn(_ app: CompositionRoot) async throws -> Bool {
        guard try account.knownSettings(in: app) != nil else { return false }
        return try await app.withAccount(account) { try await $0.controller.storedUser() != nil }
    }

    /// Sends and fetches for the signed-in account, until the session changes or ends.
    private func serve(
        _ practice: Practice, _ account: PracticeAccount, _ sync: PracticeSync, _ app: CompositionRoot,
        _ watch: FilesWatch
    ) async throws {
        let console = app.console
        let presenter = SyncPresenter(console: console)
        let wakeup = sync.wakeup
        let ports = SyncPractice.Ports(
            worker: sync.worker, pull: { try await sync.puller.pull() },
            pause: {
                let heard = wakeup.count
                return { try await wakeup.wait(after: heard, for: $0) }
            }, session: practice.session.manager, applyLimit: { try await app.applyRecordingLimit(practice) },
            occasions: [
                { await NetworkReturns.forEach { wakeup.wake() } },
                {
                    for await event in await sync.sessionEvents()
                    where event == .tokenRefreshed || event == .signInSucceeded { wakeup.wake() }
                },
            ])
        try await SyncPractice(ports)(
            until: {
                for await _ in watch.changes where await !account.isCurrent() { return true }
                return false
            },
            report: { event in
                switch event {
                case .started:
                    console.progress("Sending what comes to \(account.server.absoluteString.printable).")
                    if case .refused(let reason) = try await account.gate.permission() {
                        console.progress(reason.sentence)
                    }
                case .sending(let report): await presenter.show(report)
                case .pulled(let changes):
                    console.progress(
                        "From the server: \(changes.added) results, \(changes.removed) deletions, "
                            + "\(changes.evaluations) evaluations.")
                    try console.emit(PulledEvent(changes))
                case .limitFailed(let error):
                    console.progress("Recordings over the limit stay for now: \(Sentence(error))")
                }
            })
    }

    private struct PulledEvent: Encodable {
        let event = "pulled"
        let results: Int
        let deletions: Int
        let evaluations: Int

        init(_ changes: PulledChanges) {
            (results, deletions, evaluations) = (changes.added, changes.removed, changes.evaluations)
        }

        private enum CodingKeys: String, CodingKey { case event, results, deletions, evaluations }
    }
}
