// SPDX-License-Identifier: MIT

import AudioKitLinux
import AudioKitLinuxTestSupport
import DataVoice
import Domain
import DomainTestSupport
import Testing

/// The volume of a real sound server keeps the port's contract.
@Suite(.enabled(if: PulseDaemon.isInstalled), .timeLimit(.minutes(5))) struct MixerVolumeControlTests {
    @Test(arguments: VolumeControlContract.checks)
    func keeps(_ check: ContractCheck<any VolumeControl>) async throws {
        let server = try await PulseDaemon()
        try await check.run(MixerVolumeControl(server.playback))
    }

    @Test func `a device without a volume is a device's error`() async throws {
        let control = MixerVolumeControl(.alsa("no-such-device"))
        let error = await #expect(throws: DomainError.self) { try await control.volume() }
        if case .device = error { return }
        Issue.record("\(String(describing: error))")
    }
}
