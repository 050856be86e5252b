// SPDX-License-Identifier: MIT
import AudioKitLinux
import AudioKitLinuxTestSupport
import Foundation
import Testing

/// A pair of devices that the contract tests run on.
final class DeviceUnderTest {
    /// Where the devices come from.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        /// The card in this process: always.
        case virtualCard
        /// A PulseAudio server of the test's own: where one is installed.
        case soundServer
        /// What `PARLEY_TEST_DEVICE` names: where it is set.
        case named

        /// Those that this machine has.
        static var present: [Kind] {
            allCases.filter {
                switch $0 {
                case .virtualCard: true
                case .soundServer: PulseDaemon.isInstalled
                case .named: name != nil
                }
            }
        }

        var testDescription: String { self == .named ? "PARLEY_TEST_DEVICE \(Self.name ?? "")" : rawValue }

        static var name: String? { ProcessInfo.processInfo.environment["PARLEY_TEST_DEVICE"] }
        static var captureName: String? { ProcessInfo.processInfo.environment["PARLEY_TEST_CAPTURE_DEVICE"] ?? name }
        static var isLoopback: Bool { ProcessInfo.processInfo.environment["PARLEY_TEST_LOOPBACK"] == "1" }
    }

    let playback: AudioDevice
    let capture: AudioDevice
    /// Whether the capture hears the playback, sample for sample or through a cable.
    let isLoopback: Bool
    /// Whether a second stream in the same direction is refused; nil: either may be.
    let isExclusive: Bool?
    private let daemon: PulseDaemon?

    init(_ kind: Kind) async throws {
        switch kind {
        case .virtualCard:
            let card = try VirtualCard.loopback(format: PulseDaemon.format)
            (playback, capture, isLoopback, isExclusive, daemon) = (.virtual(card), .virtual(card), true, true, nil)
        case .soundServer:
            let daemon = try await PulseDaemon()
            (playback, capture, isLoopback, isExclusive) = (daemon.playback, daemon.capture, true, false)
            self.daemon = daemon
        case .named:
            playback = .alsa(Kind.name ?? "default")
            capture = .alsa(Kind.captureName ?? "default")
            (isLoopback, isExclusive, daemon) = (Kind.isLoopback, nil, nil)
        }
    }
}
