// SPDX-License-Identifier: MIT

import Diagnostics
public import FoundationEssentials
import Glibc

extension Database {
    /// Sets a damaged file aside, as ``setAside(_:now:)`` does, and puts a new one with all that can still be read in its
    /// place: table by table, row by row around damaged pages; then indexes, views and triggers.
    ///
    /// Nothing is deleted: the damaged file and its log stay as they are under their new name. The new file appears when it is
    /// complete. If the program ends before, the damaged file is under its new name and there is none under the old one.
    ///
    /// What damage has turned into other values that look sound is not noticed. If the list of tables itself is
    /// unreadable, the new file is empty and the report says so.
    ///
    /// - Parameters:
    ///   - path: The damaged file; no one may have it open.
    ///   - now: The time in the damaged file's new name.
    /// - Returns: What was saved.
    /// - Throws: ``DatabaseError`` with `notFound`, `diskFull`, `permission`, …; `CancellationError`. The damaged file is kept
    ///   under its new name even so.
    public static func recover(_ path: String, now: Date = Date()) async throws -> RecoveryReport {
        let file = try DatabaseFile(path: path)
        let aside = try DatabaseFile(path: setAside(path, now: now))
        let partial = try DatabaseFile(path: file.path + ".recovered-\(getpid())-\(UInt32.random(in: 0 ... .max))")
        do {
            let actor = try ConnectionActor(name: "db-recovery") {
                try Connection.open(partial, role: .writer, configuration: .init(), logger: .disabled)
            }
            let report = try await actor.run { try Salvager(damaged: aside, target: $0).run() }
            // Closing copies the log into the file.
            await actor.close()
            try DatabaseFile.move(partial.path, to: file.path)
            DatabaseFile.syncParent(of: file.path)
            return report
        } catch {
            for suffix in [""] + DatabaseFile.companions { unlink(partial.path + suffix) }
            throw error
        }
    }
}
