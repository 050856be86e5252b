// SPDX-License-Identifier: MIT

import Auth
import CommandLineArguments
import DataLayer
import Domain
import FoundationEssentials
import Networking

/// `parley service`: sends what waits, for as long as it runs.
struct ServiceCommand: Command {
    static let specification = CommandSpecification(
        path: ["service"],
        summary: "Send recordings and results to the server as they come, until it is stopped",
        discussion: """
            parley install makes it a service of your session. It waits without a network and until somebody signs in, goes on
            after a reboot where it was, and needs no root. It also fetches what other devices did, and keeps to the limit of
            parley recordings limit. What it cannot send is in parley uploads list.
            """,
        options: [AccountOptions.server])

    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) { account = AccountOptions(invocation) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let watch = SignInWatch(app.paths)
        defer { watch.close() }
        var changes = watch.changes.makeAsyncIterator()
        while true {
            let wasSignedIn = try await app.withPractice(account, console: console) { practice in
                guard let account = practice.session.account, let sync = practice.sync else { return false }
                try await serve(practice, account, sync, app, watch)
                return true
            }
            try Task.checkCancellation()
            if wasSignedIn { continue }
            console.progress("Nobody is signed in. Waiting for parley sign-in.")
            try console.emit(["event": "waiting"])
            // Any change may be it; opening everything anew tells.
            while try await !isSomebodyThere(app, console) {
                guard await changes.next() != nil else {
                    try Task.checkCancellation()
                    throw DomainError.signInNeeded
                }
            }
        }
    }

    private func isSomebodyThere(_ app: CompositionRoot, _ console: Console) async throws -> Bool {
        guard try account.knownSettings(in: app) != nil else { return false }
        return try await app.withAccount(account, console: console) { try await $0.controller.storedUser() != nil }
    }

    /// Sends and pulls for who is signed in, until that is somebody else or nobody.
    private func serve(
        _ practice: Practice, _ account: PracticeAccount, _ sync: PracticeSync, _ app: CompositionRoot,
        _ watch: SignInWatch
    ) async throws {
        let console = app.console
        let session = try await practice.session.manager.activate()
        let interval = Duration.seconds(session.flags.value(Flags.heartbeatInterval, at: Date()))
        let presenter = SyncPresenter(console: console)
        console.progress("Sending what comes to \(account.server.absoluteString.printable).")
        if case .refused(let reason) = try await account.gate.permission() { console.progress(reason.message) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await _ in watch.changes where await !account.isCurrent() { return true }
                return false
            }
            group.addTask {
                try await sync.worker.run { await presenter.show($0) }
                return false
            }
            group.addTask { try await keepHouse(app, practice) }
            group.addTask { try await pull(practice, sync, console) }
            group.addTask { await ringWhenTheNetworkIsBack(sync.bell) }
            group.addTask { await ringWhenTheSessionIsGood(sync) }
            group.addTask {
                await practice.session.manager.sendHeartbeats(every: interval, clock: ContinuousClock())
                return false
            }
            defer { group.cancelAll() }
            // Heartbeats may be off, and the network need not tell; the worker ends by an error or a cancellation alone.
            while let isOver = try await group.next(), !isOver {}
        }
    }

    /// Ends pauses when the kernel says that there is a way out again. Where it does not tell, the pauses end by themselves.
    private func ringWhenTheNetworkIsBack(_ bell: SyncBell) async -> Bool {
        var before: NetworkState?
        do {
            for try await state in Reachability() {
                if before != nil, state.isReachable { bell.ring() }
                before = state
            }
        } catch {}
        return false
    }

    private func ringWhenTheSessionIsGood(_ sync: PracticeSync) async -> Bool {
        for await event in await sync.sessionEvents() where event == .tokenRefreshed || event == .signInSucceeded {
            sync.bell.ring()
        }
        return false
    }

    /// Brings what other devices and the server did: now, each quarter of an hour, and each minute while the server still has
    /// to evaluate something.
    private func pull(_ practice: Practice, _ sync: PracticeSync, _ console: Console) async throws -> Bool {
        while true {
            let heard = sync.bell.rings
            var isAwaiting = false
            do {
                _ = try await practice.session.manager.activate()
                let summary = try await sync.puller.pull()
                isAwaiting = summary.awaited > 0
                if summary.added + summary.removed + summary.evaluations > 0 {
                    console.progress(
                        "From the server: \(summary.added) results, \(summary.removed) deletions, \(summary.evaluations) "
                            + "evaluations.")
                    try console.emit(PulledEvent(summary))
                }
            } catch is DomainError {
                // The worker meets with the same and says so; what is not here yet comes the next time.
            }
            try await sync.bell.wait(after: heard, for: isAwaiting ? .seconds(60) : .seconds(900))
        }
    }

    private struct PulledEvent: Encodable {
        let event = "pulled"
        let results: Int
        let deletions: Int
        let evaluations: Int

        init(_ summary: ChangePuller.Summary) {
            (results, deletions, evaluations) = (summary.added, summary.removed, summary.evaluations)
        }

        private enum CodingKeys: String, CodingKey { case event, results, deletions, evaluations }
    }

    /// Removes recordings that are over the limit, now and once a day. One that cannot be removed is for the next day.
    private func keepHouse(_ app: CompositionRoot, _ practice: Practice) async throws -> Bool {
        while true {
            do {
                try await app.applyRecordingLimit(practice)
            } catch let error as DomainError {
                app.console.progress("Recordings over the limit stay for now: \(error.message)")
            }
            try await Task.sleep(for: .seconds(86_400), clock: .continuous)
        }
    }
}
