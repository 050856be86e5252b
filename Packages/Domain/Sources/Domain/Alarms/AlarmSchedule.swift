// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The alarms that are set, for all processes of a person. Every implementation passes `AlarmScheduleContract` in
/// `DomainTestSupport`.
///
/// Each call is one transaction, and is durable when it returns.
public protocol AlarmSchedule: Sendable {
    /// All alarms, the earliest first.
    ///
    /// - Throws: ``DomainError/storage(_:)``, as all calls.
    func alarms() async throws -> [Alarm]

    /// Adds an alarm.
    func add(_ alarm: Alarm) async throws

    /// Claims alarms for the caller, which rings them. Of all callers in all processes, one gets an alarm, until its
    /// claim is older than ``Alarm/claimLimit``.
    ///
    /// - Returns: The alarms that the caller has to ring; the others are gone, or another process rings them.
    func claim(_ alarms: Set<Identifier<Alarm>>, at now: Date) async throws -> [Alarm]

    /// Removes alarms, also those that ring; missing ones are no error.
    ///
    /// - Returns: The alarms that were there.
    @discardableResult
    func remove(_ alarms: Set<Identifier<Alarm>>) async throws -> [Alarm]
}
