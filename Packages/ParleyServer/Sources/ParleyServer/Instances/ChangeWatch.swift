// SPDX-License-Identifier: MIT

import Diagnostics
import Domain
import Persistence

/// Wakes the tasks of this instance that wait for changes of others: at their hints, and within a second by the rows,
/// which are the truth.
struct ChangeWatch: Sendable {
    /// The pause between looks at the rows. There are looks only while a task waits.
    static let pause: Duration = .seconds(1)
    /// The most keys of one query.
    private static let keysPerQuery = 500

    let database: any ServerDatabase
    /// Nil if the instances do without hints.
    let hints: (any HintedDatabase)?
    let evaluations: ChangeStreams<AwaitedEvaluation>
    let objects: ChangeStreams<SyncGroup>
    /// Lets the workers of this instance look for a job.
    let jobArrived: @Sendable () -> Void
    var clock: any Clock<Duration> = ContinuousClock()
    let logger: Logger

    /// Watches until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            if let hints { group.addTask { await listen(hints) } }
            group.addTask { await lookEachSecond() }
        }
    }

    private func listen(_ hints: any HintedDatabase) async {
        do {
            try await hints.forEachHint { text in
                guard let text, text != ChangeHints.everything else { return wakeAll() }
                for line in text.split(separator: "\n") {
                    if let change = SharedChange(line: line) { wake(change) }
                }
            }
        } catch {
            logger.warning(
                "changes of other instances arrive a second late: \(String(describing: error), privacy: .public)")
        }
    }

    private func lookEachSecond() async {
        var seen: [SharedChange: String] = [:]
        while (try? await clock.sleep(for: Self.pause)) != nil {
            jobArrived()
            do {
                seen = try await look(seen)
            } catch is CancellationError {
                return
            } catch {
                // The next look finds what this one did not.
                logger.debug("changes cannot be read: \(String(describing: error), privacy: .public)")
            }
        }
    }

    /// Wakes the tasks whose rows are not as at the look before, and those that wait since then.
    ///
    /// - Returns: The states that are known now.
    func look(_ seen: [SharedChange: String]) async throws -> [SharedChange: String] {
        let (recordings, groups) = (evaluations.awaited, objects.awaited)
        guard !recordings.isEmpty || !groups.isEmpty else { return [:] }
        let states = try await database.read { rows in
            var states: [SharedChange: String] = [:]
            for part in Self.parts(Array(recordings)) {
                let found = try await rows.query(
                    """
                    SELECT recording, state, attempts FROM evaluation_job
                    WHERE account IN \(list: Array(Set(part.map(\.account))))
                        AND recording IN \(list: part.map(\.recording.description))
                    """
                ) { row in
                    (
                        id: try row["recording", as: String.self],
                        state: "\(try row["state", as: String.self]) \(try row["attempts", as: Int64.self])"
                    )
                }
                for row in found {
                    if let id = Identifier<Recording>(row.id) { states[.evaluation(id)] = row.state }
                }
            }
            var numbers: [String: Int64] = [:]
            for part in Self.parts(Array(Set(groups.map(\.account)))) {
                let found = try await rows.query(
                    "SELECT account, last_number FROM sync_account WHERE account IN \(list: part)"
                ) { (try $0["account", as: String.self], try $0["last_number", as: Int64.self]) }
                for (account, number) in found { numbers[account] = number }
            }
            for group in groups { states[.objects(group)] = "\(numbers[group.account, default: 0])" }
            return states
        }
        let awaited = recordings.map { SharedChange.evaluation($0.recording) } + groups.map { .objects($0) }
        var known: [SharedChange: String] = [:]
        for change in awaited {
            // Missing for a recording that was deleted.
            let state = states[change, default: ""]
            if seen[change] != state { wake(change) }
            known[change] = state
        }
        return known
    }

    private func wake(_ change: SharedChange) {
        switch change {
        case .evaluation(let id): evaluations.wake { $0.recording == id }
        case .objects(let group): objects.wake(group)
        case .job: jobArrived()
        }
    }

    private func wakeAll() {
        evaluations.wake()
        objects.wake()
        jobArrived()
    }

    private static func parts<Key>(_ keys: [Key]) -> [ArraySlice<Key>] {
        stride(from: 0, to: keys.count, by: keysPerQuery).map { keys[$0..<min($0 + keysPerQuery, keys.count)] }
    }
}
