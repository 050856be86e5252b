// SPDX-License-Identifier: MIT

import AudioKitLinux
import CommandLineArguments
import DataLayer
import Domain
import Persistence
import Speech

/// The loudspeaker and the speed with which a command speaks.
struct SpeechOutput: Sendable {
    /// The option for the speed.
    static let speedOption = ValueOption<Int>(
        "speed", placeholder: "PERCENT", help: "How fast to speak, 50 to 200; 100 is the voice's own speed",
        in: SpeechRate.range)

    let device: AudioDevice
    let rate: SpeechRate
}

/// The setting `speed`, which "speak slower" changes.
struct StoredSpeakingRate: SpeakingRate {
    static let setting = Setting(
        "speed", .number(SpeechRate.range), standard: "100", option: SpeechOutput.speedOption.specification.name,
        help: "How fast talk, say and listen speak, in percent of the voice's own speed")

    let app: CompositionRoot
    /// The speed of the command that runs; nil if it does not speak.
    let live: SpeechRate?

    /// See `SpeakingRate`.
    func percent() async throws -> Int {
        if let live { return live.percent }
        let stored = try await app.readSettings { try $0.settings() } ?? [:]
        let value = try SettingValue(of: Self.setting, environment: app.environment, stored: stored)
        return value.text.flatMap { Int($0) } ?? 100
    }

    /// See `SpeakingRate`.
    func set(percent: Int) async throws -> Int {
        // Its limits are the port's.
        let rate = live ?? SpeechRate()
        rate.percent = percent
        try await app.writeSettings { try $0.set("\(rate.percent)", for: .setting(Self.setting.name)) }
        return rate.percent
    }
}
