// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import DurableFiles
import FoundationEssentials

/// Sees to it that a process rings each alarm: one that waits for alarms, and a transient timer of the user's systemd.
///
/// The timer is made in any case where that is possible, so that an alarm rings also when the waiting process has ended;
/// then it is a few seconds late.
struct AlarmArrangement: Sendable {
    /// The lock that every process shares that waits for alarms.
    let lockPath: String
    /// The command line that rings what is due, with its environment.
    let ring: @Sendable () throws -> [String]

    /// Arranges that a stored alarm rings; returns nil if nothing will ring it.
    func arrange(_ alarm: Alarm) async -> AlarmRinger? {
        let isListening = await isListening()
        let hasTimer = await BlockingCall.run { makeTimer(alarm, delay: isListening ? 5 : 0) }
        return isListening ? .listener : hasTimer ? .system : nil
    }

    /// Removes the timers of alarms that were removed. A timer that is left rings nothing.
    func dismiss(_ alarms: [Alarm]) async {
        guard !alarms.isEmpty else { return }
        let timers = alarms.map { Self.unit($0) + ".timer" }
        await BlockingCall.run { _ = SystemTool.run(["systemctl", "--user", "--quiet", "stop"] + timers) }
    }

    /// Lets other processes know that this one waits for alarms, until the lock is released; nil if that is impossible.
    func beginListening() async -> FileLock? {
        // A process that checks ``isListening()`` holds the lock for a moment.
        try? await FileLock.wait(for: lockPath, atMost: .seconds(5), exclusively: false)
    }

    /// True while a process waits for alarms.
    func isListening() async -> Bool {
        guard !AppPaths.isMissing(lockPath) else { return false }
        do {
            // Another one that asks holds the lock for an instant, too.
            guard let lock = try await FileLock.wait(for: lockPath, atMost: .milliseconds(30)) else { return true }
            lock.release()
            return false
        } catch { return false }
    }

    private func makeTimer(_ alarm: Alarm, delay: Int) -> Bool {
        guard let command = try? Self.timer(alarm, delay: delay, ring: ring()) else { return false }
        // It may be there already.
        return SystemTool.run(command) == true
            || SystemTool.run(["systemctl", "--user", "--quiet", "is-active", Self.unit(alarm) + ".timer"]) == true
    }

    /// The command that makes a transient timer (systemd-run(1)). It follows CLOCK_REALTIME, as the alarm does, also
    /// over a sleep of the machine, and is gone when the person logs out.
    static func timer(_ alarm: Alarm, delay: Int, ring: [String]) -> [String] {
        let due = Int(alarm.due.timeIntervalSince1970.rounded(.up)) + delay
        return [
            "systemd-run", "--user", "--quiet", "--collect", "--unit=\(unit(alarm))",
            "--description=Parley: rings a timer or an alarm", "--on-calendar=@\(due)",
            "--timer-property=AccuracySec=100ms", "--",
        ] + ring.map { $0.replacing("$", with: "$$") }
    }

    private static func unit(_ alarm: Alarm) -> String { "parley-alarm-\(alarm.id)" }
}

extension AlarmArrangement {
    /// The variables that say where alarms are kept and sound is played.
    private static let variables = [
        "HOME", "PARLEY_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "LD_LIBRARY_PATH", "TZ", "PARLEY_DEVICE",
        "PULSE_SERVER", "ALSA_CONFIG_PATH",
    ]

    /// The arrangement of a home.
    init(paths: AppPaths, environment: [String: String]) {
        lockPath = paths.data + "/alarms.lock"
        ring = {
            var environment = environment
            environment["PARLEY_HOME"] = AppPaths.home(environment)
            let values = Self.variables.compactMap { name in
                environment[name].flatMap { $0.isEmpty ? nil : "\(name)=\($0)" }
            }
            return ["/usr/bin/env"] + values + [try InstallCommand.program(), "timers", "ring"]
        }
    }
}
