// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import DataVoice
import Diagnostics
import Domain
import DurableFiles

extension CompositionRoot {
    /// Timers and alarms.
    ///
    /// - Parameter ringing: The ringing of this process.
    func alarmClock(ringing: RingAlarms? = nil) -> AlarmClock {
        let arrangement = alarmArrangement
        return AlarmClock(
            alarmFile, arrange: { await arrangement.arrange($0) }, dismiss: { await arrangement.dismiss($0) },
            ringing: ringing)
    }

    /// The use case that rings what is due.
    ///
    /// - Parameters:
    ///   - ownSound: Tells a listener in the same room about the played sound.
    ///   - device: Finds the loudspeaker when something rings; a device that is missing now may be there then.
    func ringAlarms(
        ownSound: OwnSound? = nil, on device: @escaping @Sendable () async throws -> AudioDevice
    ) -> RingAlarms {
        RingAlarms(
            alarmFile,
            sound: { [logger] in
                try await DeviceAlarmSound(
                    device: device(), ownSound: ownSound, logger: logger.with(category: "alarms")
                ).ring()
            })
    }

    /// Rings alarms until the task is cancelled; other processes know of it meanwhile.
    ///
    /// - Parameters:
    ///   - untilQuiet: True to return when nothing is due and nothing rings.
    ///   - began: Called when alarms that others set from now on are rung.
    ///   - show: Gets each event, before the desktop.
    func run(
        _ ringing: RingAlarms, untilQuiet: Bool = false, notifies: Bool, began: @Sendable () -> Void = {},
        show: @escaping @Sendable (AlarmEvent) async -> Void
    ) async throws {
        let arrangement = alarmArrangement
        if !untilQuiet { try? paths.makeDataFolder() }
        let sign = untilQuiet ? nil : await arrangement.beginListening()
        began()
        let desktop =
            notifies ? AlarmNotifications(logger: logger, translator: console.translator) { await ringing.stop() } : nil
        let result: Result<Void, any Error>
        // The system's own timers are gone after it was started anew.
        async let rearranged = try? await alarmClock().rearrange()
        do {
            result = .success(
                try await ringing(untilQuiet: untilQuiet) { event in
                    await show(event)
                    await desktop?.show(event)
                })
        } catch { result = .failure(error) }
        _ = await rearranged
        await desktop?.close()
        sign?.release()
        if sign != nil { await warnOfSilence() }
        try result.get()
    }

    /// Says how many alarms nothing rings any more.
    private func warnOfSilence() async {
        // The task is cancelled: that is why.
        let left = await Task { try? await alarmClock().rearrange() }.value ?? []
        guard !left.isEmpty else { return }
        console.warn(
            Sentence(
                one: "\(left.count) timer or alarm is set, and nothing rings it until parley listen, parley service or "
                    + "parley timers ring --wait runs again.",
                other:
                    "\(left.count) timers and alarms are set, and nothing rings them until parley listen, parley service or "
                    + "parley timers ring --wait runs again.", count: left.count))
    }

    /// The alarms that are set.
    var alarmFile: AlarmFile { AlarmFile(path: paths.alarms, logger: logger.with(category: "storage")) }

    private var alarmArrangement: AlarmArrangement { AlarmArrangement(paths: paths, environment: environment) }
}
