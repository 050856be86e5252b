// SPDX-License-Identifier: MIT

/// Plays the short tones by which an assistant says what it does. Every implementation passes `EarconPlayerContract` in
/// `DomainTestSupport`.
public protocol EarconPlayer: Sendable {
    /// Plays a tone and returns when its last sample has left the device; cancellation cuts it off.
    ///
    /// - Throws: ``DomainError/device(_:)`` or ``DomainError/file(_:)``, `CancellationError`.
    func play(_ earcon: VoiceLoop.Earcon) async throws
}
