// SPDX-License-Identifier: MIT

import Concurrency
public import Diagnostics
public import Domain
public import FoundationEssentials
import Glibc
import Persistence

/// The alarms of a person in a database file of their own, which the app lock does not seal: an alarm must ring while
/// nobody is there to give the passphrase.
///
/// Each call opens the file. Reading a missing file makes none, and one that has not changed since is not read again.
public final class AlarmFile: AlarmSchedule {
    private static let key = KeyValueKey<[StoredAlarm]>("alarms", in: "alarms")

    private let path: String
    private let file: KeyValueFile
    private let last = Guarded<(signs: [FileSign], alarms: [Alarm])?>(nil)

    /// Makes the value for a file (mode 0600), which the first alarm makes.
    public init(path: String, logger: Logger = .disabled) {
        self.path = path
        file = KeyValueFile(path: path, logger: logger)
    }

    /// See `AlarmSchedule`.
    public func alarms() async throws -> [Alarm] {
        let signs = ["", "-wal"].map { FileSign(path + $0) }
        if let known = last.withLock({ $0 }), known.signs == signs { return known.alarms }
        let alarms = try await file.read { try $0.value(for: Self.key) }?.flatMap { $0 } ?? []
        let sorted = alarms.map(\.alarm).sorted { ($0.due, $0.id) < ($1.due, $1.id) }
        // A file that was written a moment ago may be written again without another time.
        let isSettled = signs.allSatisfy { $0.isOlder(than: 1) }
        last.withLock { $0 = isSettled ? (signs, sorted) : nil }
        return sorted
    }

    /// See `AlarmSchedule`.
    public func add(_ alarm: Alarm) async throws {
        try await change { alarms in alarms.append(StoredAlarm(alarm)) }
    }

    /// See `AlarmSchedule`.
    public func claim(_ alarms: Set<Identifier<Alarm>>, at now: Date) async throws -> [Alarm] {
        guard !alarms.isEmpty else { return [] }
        return try await change { stored in
            var claimed: [Alarm] = []
            for index in stored.indices where alarms.contains(stored[index].alarm.id) {
                guard !stored[index].alarm.isRinging(at: now) else { continue }
                stored[index].claimedAt = now
                claimed.append(stored[index].alarm)
            }
            return claimed
        }
    }

    /// See `AlarmSchedule`.
    @discardableResult
    public func remove(_ alarms: Set<Identifier<Alarm>>) async throws -> [Alarm] {
        guard !alarms.isEmpty else { return [] }
        return try await change { stored in
            let removed = stored.map(\.alarm).filter { alarms.contains($0.id) }
            stored.removeAll { alarms.contains($0.alarm.id) }
            return removed
        }
    }

    private func change<Value: Sendable>(
        _ body: @Sendable (inout [StoredAlarm]) throws -> Value
    ) async throws -> Value {
        last.withLock { $0 = nil }
        return try await file.write { values in
            var alarms = try values.value(for: Self.key) ?? []
            let value = try body(&alarms)
            try values.set(alarms, for: Self.key)
            return value
        }
    }
}

extension AlarmFile: PersonalDataSource {
    /// Writes a line of JSON for each alarm into `alarms.jsonl`. See `PersonalDataSource`.
    public func export(to archive: any ExportArchive) async throws -> [String: Int] {
        try Task.checkCancellation()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .iso8601
        let lines = try await alarms().map {
            String(decoding: try encoder.encode(StoredAlarm($0)), as: UTF8.self) + "\n"
        }
        guard !lines.isEmpty else { return [:] }
        try await archive.add("alarms.jsonl", Array(lines.joined().utf8))
        return ["alarms": lines.count]
    }
}

/// An alarm as it is stored.
private struct StoredAlarm: Codable {
    private let id: UUID
    /// The duration of a timer; nil for an alarm.
    private let milliseconds: Int64?
    private let due: Date
    private let label: String?
    var claimedAt: Date?

    init(_ alarm: Alarm) {
        id = alarm.id.uuid
        milliseconds =
            if case .timer(let duration) = alarm.kind { Int64(duration / .milliseconds(1)) } else { nil }
        due = alarm.due
        label = alarm.label
        claimedAt = alarm.claimedAt
    }

    var alarm: Alarm {
        Alarm(
            id: Identifier(id), kind: milliseconds.map { .timer(.milliseconds($0)) } ?? .alarm, due: due, label: label,
            claimedAt: claimedAt)
    }
}

/// The identity, size and time of a file; all zero for a missing one.
private struct FileSign: Hashable {
    private var inode: UInt = 0
    private var size = 0
    private var seconds = 0
    private var nanoseconds = 0

    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        (inode, size) = (UInt(status.st_ino), Int(status.st_size))
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }

    func isOlder(than limit: Int) -> Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return now.tv_sec - seconds > limit
    }
}
