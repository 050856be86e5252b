// SPDX-License-Identifier: MIT

import AudioKitLinux
import Domain
import TestKit
import Testing

@testable import DataVoice

@Suite(.timeLimit(.minutes(5))) struct DeviceAlarmSoundTests {
    @Test func `it rings again and again until it is cancelled, and then leaves the device`() async throws {
        let card = try VirtualCard(speed: 8, capture: nil, playback: .memory)
        let ownSound = OwnSound()
        let sound = DeviceAlarmSound(device: .virtual(card), ownSound: ownSound)
        let ringing = Task { try await sound.ring() }
        let tone = DeviceAlarmSound.tone(.speech).samples.count
        try await eventually("three tones are heard") { card.recorded.samples.count > 3 * tone }
        #expect(ownSound.isPlaying)
        ringing.cancel()
        await #expect(throws: CancellationError.self) { try await ringing.value }
        #expect(!ownSound.isPlaying)
        let heard = card.recorded.samples
        #expect(heard.max().map { (0.2...0.26).contains($0) } == true, "−12 dBFS")
        // Another stream can open the device.
        let playback = try await AudioPlayback.start(device: .virtual(card))
        await playback.stop()
    }

    @Test func `a missing device is an error`() async {
        await #expect {
            try await DeviceAlarmSound(device: .alsa("no-such-device")).ring()
        } throws: { ($0 as? DomainError)?.code == "device" }
    }

    @Test(arguments: [(8000, 1), (48_000, 2)])
    func `a tone is 1.2 seconds with pauses, and begins and ends silent`(rate: Int, channels: Int) {
        let tone = DeviceAlarmSound.tone(AudioFormat(sampleRate: rate, channels: channels))
        #expect(tone.samples.count == rate * 12 / 10 * channels)
        #expect(tone.samples.first == 0 && tone.samples.last == 0)
        let silent = tone.samples.count { $0 == 0 }
        #expect(silent * 12 >= tone.samples.count * 8, "two thirds are pauses")
    }
}
