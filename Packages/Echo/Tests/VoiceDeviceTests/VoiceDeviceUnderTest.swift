// SPDX-License-Identifier: MIT

import AudioKitLinux
import AudioKitLinuxTestSupport
import Foundation
import TestKit
import Testing

@testable import Echo

/// A device that the contract tests run on.
final class VoiceDeviceUnderTest {
    /// Where it comes from.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        /// A card in this process: always.
        case virtualCard
        /// Sound files: always.
        case files
        /// A PulseAudio server of the test's own: where one is installed.
        case soundServer
        /// What `PARLEY_TEST_DEVICE` names: where it is set.
        case named

        /// Those that this machine has.
        static var present: [Kind] {
            allCases.filter {
                switch $0 {
                case .virtualCard, .files: true
                case .soundServer: PulseDaemon.isInstalled
                case .named: name != nil
                }
            }
        }

        var testDescription: String { self == .named ? "PARLEY_TEST_DEVICE \(Self.name ?? "")" : rawValue }

        static var name: String? { ProcessInfo.processInfo.environment["PARLEY_TEST_DEVICE"] }
        static var captureName: String? { ProcessInfo.processInfo.environment["PARLEY_TEST_CAPTURE_DEVICE"] ?? name }
    }

    let device: any VoiceDevice
    private let daemon: PulseDaemon?
    private let folder: TemporaryFolder?

    /// With the sound as it is, and buffers so wide that whoever waits for a processor makes no gap.
    init(_ kind: Kind) async throws {
        var options = VoiceDeviceOptions.unprocessed
        options.buffer = .milliseconds(500)
        switch kind {
        case .virtualCard:
            device = ALSAVoiceDevice(try VirtualCard.loopback(format: .voice), options)
            (daemon, folder) = (nil, nil)
        case .files:
            let folder = try TemporaryFolder()
            try writeFile(folder.file("question.wav"), TestSignal.noise(frames: 48_000, format: .voice, seed: 101))
            device = try FileVoiceDevice(
                input: folder.file("question.wav"), output: folder.file("answer.wav"), options: options)
            (daemon, self.folder) = (nil, folder)
        case .soundServer:
            let daemon = try await PulseDaemon()
            device = ALSAVoiceDevice(capture: daemon.capture, playback: daemon.playback, options: options)
            (self.daemon, folder) = (daemon, nil)
        case .named:
            device = ALSAVoiceDevice(
                capture: .alsa(Kind.captureName ?? "default"), playback: .alsa(Kind.name ?? "default"),
                options: options)
            (daemon, folder) = (nil, nil)
        }
    }
}
