// SPDX-License-Identifier: MIT
import AudioKitLinux
import Testing

@Suite struct AudioLevelTests {
    @Test func silenceIsAtTheFloor() {
        let level = AudioLevel(of: AudioBuffer(silentFrames: 100, format: .speech))
        #expect(level.rms == -120 && level.peak == -120 && level.clippedSamples == 0)
    }
}
