// SPDX-License-Identifier: MIT

public import Domain

/// The contract of `VolumeControl`, for a loudspeaker that can be muted and whose steps are at most five percent.
public enum VolumeControlContract {
    /// Every promise.
    public static let checks: [ContractCheck<any VolumeControl>] = [
        .init("a volume that is set is read, to a step") { control in
            for percent in [0, 37, 100, 50] {
                let set = try await control.set(LoudspeakerVolume(percent: percent, isMuted: false))
                try require(abs(set.percent - percent) <= 5 && !set.isMuted, "\(percent) became \(set)")
                try await require(control.volume() == set, "not what was set")
            }
        },
        .init("muting keeps the volume") { control in
            let loud = try await control.set(LoudspeakerVolume(percent: 60, isMuted: false))
            let mute = try await control.set(LoudspeakerVolume(percent: loud.percent, isMuted: true))
            try require(mute.isMuted && mute.percent == loud.percent, "\(mute)")
            try await require(control.set(loud) == loud, "not as before")
        },
    ]
}

/// The contract of `SpeakingRate`.
public enum SpeakingRateContract {
    /// Every promise.
    public static let checks: [ContractCheck<any SpeakingRate>] = [
        .init("a speed that is set is read") { rate in
            try await require(rate.set(percent: 85) == 85, "85 was not set")
            try await require(rate.percent() == 85, "85 is not read")
        },
        .init("a speed has limits") { rate in
            try await require(rate.set(percent: 0) == 50, "slower than 50")
            try await require(rate.set(percent: 1000) == 200, "faster than 200")
            try await require(rate.percent() == 200, "200 is not read")
        },
    ]
}

/// A loudspeaker for tests.
public actor ScriptedVolume: VolumeControl {
    private var held = LoudspeakerVolume(percent: 50, isMuted: false)

    /// At 50 percent.
    public init() {}

    /// See `VolumeControl`.
    public func volume() -> LoudspeakerVolume { held }

    /// See `VolumeControl`.
    public func set(_ volume: LoudspeakerVolume) -> LoudspeakerVolume {
        held = volume
        return volume
    }
}

/// A speed for tests.
public actor ScriptedRate: SpeakingRate {
    private var held = 100

    /// The voice's own speed.
    public init() {}

    /// See `SpeakingRate`.
    public func percent() -> Int { held }

    /// See `SpeakingRate`.
    public func set(percent: Int) -> Int {
        held = min(200, max(50, percent))
        return held
    }
}
