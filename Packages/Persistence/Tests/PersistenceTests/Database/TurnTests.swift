// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import TestKit
import Testing

@testable import Persistence

/// Writers of several connections and processes take turns, which SQLite's lock alone does not see to.
@Suite(.timeLimit(.minutes(5))) struct TurnTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
    }

    private func connection(courtesy: Duration = .seconds(60), timeout: Duration = .seconds(60)) throws
        -> WritableConnection
    {
        let connection = try Connection.open(
            DatabaseFile(path: folder.database), role: .writer, configuration: .init(busyTimeout: timeout),
            logger: .disabled)
        connection.busy.courtesy = courtesy
        return connection
    }

    private func table() throws -> WritableConnection {
        let connection = try connection()
        try connection.writing(durability: .normal) {
            try $0.execute("CREATE TABLE turn (number INTEGER PRIMARY KEY, who TEXT NOT NULL) STRICT")
        }
        return connection
    }

    @Test func aSignIsSeenByOthersOfTheSameFileAlone() throws {
        for name in ["one", "two"] { try Data().write(to: URL(fileURLWithPath: folder.path + "/" + name)) }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: folder.path + "/one")
        let waiting = try #require(WaitingSign(for: folder.path + "/one"))
        let same = try #require(WaitingSign(for: folder.path + "/link"))
        let other = try #require(WaitingSign(for: folder.path + "/two"))
        #expect(!same.isUpElsewhere)
        waiting.putUp()
        #expect(same.isUpElsewhere)
        #expect(!waiting.isUpElsewhere, "its own sign holds nobody up")
        #expect(!other.isUpElsewhere)
        same.putUp()
        #expect(waiting.isUpElsewhere)
        waiting.takeDown()
        #expect(!same.isUpElsewhere)
        #expect(waiting.isUpElsewhere)
        same.takeDown()
        #expect(!waiting.isUpElsewhere)
        do {
            let gone = try #require(WaitingSign(for: folder.path + "/one"))
            gone.putUp()
            #expect(waiting.isUpElsewhere)
        }
        #expect(!waiting.isUpElsewhere, "whoever is gone does not wait")
        #expect(WaitingSign(for: folder.path + "/none") == nil)
    }

    /// A writer that waits for a lock, on a thread of its own.
    private func writer(_ who: String) throws -> ConnectionActor {
        try ConnectionActor(name: who) { try connection() }
    }

    @Test func whoHasWaitedGoesBeforeWhoComesLater() async throws {
        let holder = try table()
        let sign = try #require(WaitingSign(for: folder.database))
        let (early, late) = (try writer("early"), try writer("late"))
        try await late.run { _ in }
        for number in 0..<20 {
            try holder.internally("BEGIN IMMEDIATE")
            async let first: Void = early.run { connection in
                try connection.writing(durability: .normal) {
                    try $0.execute("INSERT INTO turn (who) VALUES ('early')")
                }
            }
            try await eventually { sign.isUpElsewhere }
            async let second: Void = late.run { connection in
                try connection.writing(durability: .normal) {
                    try $0.execute("INSERT INTO turn (who) VALUES ('late')")
                }
            }
            // It has either not begun yet or gives way: in both cases the lock is not asked for.
            await disturbOrder()
            try holder.internally("COMMIT")
            _ = try await (first, second)
            let names = try holder.query("SELECT who FROM turn ORDER BY number", as: String.self)
            #expect(names.suffix(2) == ["early", "late"], "round \(number)")
            #expect(!sign.isUpElsewhere)
        }
    }

    @Test func oneWhoDoesNotTakeItsTurnStopsNobody() throws {
        let connection = try table()
        let stopped = try #require(WaitingSign(for: folder.database))
        stopped.putUp()
        connection.busy.courtesy = .milliseconds(30)
        for _ in 0..<3 {
            try connection.writing(durability: .normal) { try $0.execute("INSERT INTO turn (who) VALUES ('one')") }
        }
        #expect(try connection.first("SELECT count(*) FROM turn", as: Int.self) == 3)
    }

    @Test func givingWayEndsWhenTheTaskIsCancelledAndCountsAsWaiting() async throws {
        _ = try table()
        let waiting = try #require(WaitingSign(for: folder.database))
        waiting.putUp()
        let late = try writer("late")
        try await late.run { $0.busy.courtesy = .seconds(3_600) }
        let task = Task {
            try await late.run { connection in
                withUnsafeCurrentTask { $0?.cancel() }
                try connection.writing(durability: .normal) { _ in }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        // A timeout of nothing leaves no time to give way.
        let hasty = try connection(courtesy: .seconds(3_600), timeout: .zero)
        try hasty.writing(durability: .normal) { _ in }
    }
}
