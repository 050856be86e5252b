// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import FoundationEssentials

/// `parley service`: sends what waits, for as long as it runs.
struct ServiceCommand: Command {
    static let specification = CommandSpecification(
        path: ["service"],
        summary: "Send recordings and results to the server as they come, until it is stopped",
        discussion: """
            parley install makes it a service of your session. It waits without a network, goes on after a reboot where it was,
            and needs no root. What it cannot send is in parley uploads list.
            """,
        options: [AccountOptions.server])

    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) { account = AccountOptions(invocation) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, console: console) { practice in
            guard let worker = practice.worker else { throw DomainError.signInNeeded }
            let session = try await practice.session.activate()
            let interval = Duration.seconds(session.flags.value(Flags.heartbeatInterval, at: Date()))
            let presenter = SyncPresenter(console: console)
            console.progress("Sending what comes to \(practice.server?.absoluteString.printable ?? "the server").")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await worker.run { await presenter.show($0) } }
                group.addTask { try await keepHouse(app, practice) }
                group.addTask { try await pull(practice, console) }
                group.addTask { await practice.session.sendHeartbeats(every: interval, clock: ContinuousClock()) }
                defer { group.cancelAll() }
                // Heartbeats may be off; the worker ends by an error or a cancellation alone.
                while try await group.next() != nil {}
            }
        }
        return .done
    }

    /// Brings what other devices and the server did: now, each quarter of an hour, and each minute while the server still has
    /// to evaluate something.
    private func pull(_ practice: PracticeServices, _ console: Console) async throws {
        guard let puller = practice.puller else { return }
        while true {
            var isAwaiting = false
            do {
                let summary = try await puller.pull()
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
            try await Task.sleep(for: isAwaiting ? .seconds(60) : .seconds(900), clock: .continuous)
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
    private func keepHouse(_ app: CompositionRoot, _ practice: PracticeServices) async throws {
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
