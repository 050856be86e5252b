// SPDX-License-Identifier: MIT

/// The loudness of this machine's loudspeaker.
public struct LoudspeakerVolume: Sendable, Hashable {
    /// The part of the full volume, 0 ... 100.
    public let percent: Int
    /// True while no sound comes out at all.
    public let isMuted: Bool

    /// Makes a volume.
    ///
    /// - Parameter percent: It is limited to 0 ... 100.
    public init(percent: Int, isMuted: Bool) {
        self.percent = min(100, max(0, percent))
        self.isMuted = isMuted
    }
}

/// The volume of the loudspeaker that answers are spoken with. Every implementation passes `VolumeControlContract` in
/// `DomainTestSupport`.
public protocol VolumeControl: Sendable {
    /// The volume that is set.
    ///
    /// - Throws: ``DomainError/device(_:)`` for a loudspeaker that is missing or has no volume.
    func volume() async throws -> LoudspeakerVolume

    /// Sets the volume.
    ///
    /// - Returns: The volume that the loudspeaker has now; its steps may be coarser than a percent.
    /// - Throws: See ``volume()``.
    func set(_ volume: LoudspeakerVolume) async throws -> LoudspeakerVolume
}

/// The speed at which answers are spoken, in percent of the voice's own. Every implementation passes
/// `SpeakingRateContract` in `DomainTestSupport`.
public protocol SpeakingRate: Sendable {
    /// The speed, 50 ... 200.
    ///
    /// - Throws: ``DomainError/storage(_:)`` or ``DomainError/file(_:)`` if it cannot be read.
    func percent() async throws -> Int

    /// Sets the speed from the next sentence on. It is kept.
    ///
    /// - Parameter percent: It is limited to 50 ... 200.
    /// - Returns: The speed that is set now.
    /// - Throws: ``DomainError/storage(_:)`` or ``DomainError/file(_:)`` if it cannot be kept.
    func set(percent: Int) async throws -> Int
}
