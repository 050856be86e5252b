// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataAssistant
import Domain
import FoundationEssentials
import TerminalKit

private let list = "parley timers list"

/// `parley timers list`: shows timers and alarms.
struct TimersListCommand: Command {
    static let specification = CommandSpecification(
        path: ["timers", "list"], summary: "List the timers and alarms that are set, the next one first",
        discussion: "parley ask \"set a timer for five minutes\" and \"wake me at seven\" set them.")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let (alarms, now, zones) = (try await app.alarmClock().alarms(), Date(), SystemTimeZones())
        if alarms.isEmpty { console.progress("No timer and no alarm is set.") }
        for alarm in alarms {
            let line = await AlarmWords.line(alarm, at: now, zones: zones)
            try console.show("\(console.styled(alarm.id.short, .muted))  \(line.printable)")
        }
        try console.emit(["timers": alarms.map { AlarmOutput($0, at: now) }])
        return .done
    }
}

/// `parley timers cancel`: cancels timers and alarms.
struct TimersCancelCommand: Command {
    private static let names = Positional<[String]>(
        any: "NAME", help: "Names, or beginnings of them, as \(list) shows")
    private static let all = Flag("all", help: "All of them")
    static let specification = CommandSpecification(
        path: ["timers", "cancel"], summary: "Cancel timers and alarms; those that ring fall silent",
        positionals: [names], options: [all])

    /// Nil for all.
    private let names: [NamePrefix]?

    init(_ invocation: Invocation) throws(UsageError) {
        let words = invocation[Self.names]
        guard words.isEmpty == invocation.has(Self.all) else {
            throw UsageError("Say which: NAME, as \(list) shows, or --all; one.", command: invocation.command)
        }
        var names: [NamePrefix] = []
        for word in words {
            guard let name = NamePrefix(word) else {
                throw UsageError(
                    "NAME takes at least 4 characters (0 to 9, a to f) of a name from \(list).",
                    command: invocation.command)
            }
            names.append(name)
        }
        self.names = words.isEmpty ? nil : names
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let clock = app.alarmClock()
        let ids = try await clock.alarms().map(\.id)
        let wanted = try names.map { try $0.map { try $0.one(of: ids, called: "timer") } } ?? ids
        let cancelled = try await clock.cancel(Set(wanted))
        for alarm in cancelled {
            try console.tell("\(alarm.id.short) cancelled: \(AlarmWords.title(alarm).printable).")
        }
        if cancelled.isEmpty { console.progress("No timer and no alarm is set.") }
        try console.emit(["cancelled": cancelled.map { AlarmOutput($0) }])
        return .done
    }
}

/// `parley timers ring`: rings what is due.
struct TimersRingCommand: Command {
    private static let wait = Flag("wait", help: "Wait for all timers and alarms, until Ctrl-C")
    private static let noNotifications = Flag("no-notifications", help: "Show nothing on the desktop")
    static let specification = CommandSpecification(
        path: ["timers", "ring"], summary: "Ring the timers and alarms that are due, until somebody stops them",
        discussion: """
            systemd starts it for what was set while parley listen did not run. Enter, Ctrl-C or the button of the desktop's
            notification stops what rings; so does parley timers cancel, from anywhere. After a minute it ends by itself. What
            was due more than ten minutes ago is told, not rung.
            With --wait it does for timers and alarms what parley listen does, without a microphone.
            Events in JSON: waiting, alarm (state ringing, stopped, cancelled, unanswered or missed), failure.
            """,
        options: [wait, AudioRoute.device, noNotifications])

    private let waits: Bool
    private let route: AudioRoute
    private let notifies: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        waits = invocation.has(Self.wait)
        route = try AudioRoute(invocation)
        notifies = !invocation.has(Self.noNotifications)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let ringing = app.ringAlarms { [route] in try await app.devices(for: route).playback }
        let reading = Task {
            for await _ in InputStream().lines() { await ringing.stop() }
        }
        defer { reading.cancel() }
        try await app.run(
            ringing, untilQuiet: !waits, notifies: notifies,
            began: {
                guard waits else { return }
                console.progress("Waiting for timers and alarms. Enter stops what rings; Ctrl-C ends.")
                try? console.emit(["event": "waiting"])
            }, show: { try? await console.show($0, hint: "Enter stops it." as Sentence) })
        return .done
    }
}
