// SPDX-License-Identifier: MIT
import Synchronization
import Testing

@testable import AudioKitLinux

/// A device that is ready without end though nothing is read from it, as ALSA's `null` is: the audio thread believes it twice.
@Suite struct FalseAlarmTests {
    @Test func aDeviceThatIsReadyForNothingIsNotAskedAgain() throws {
        let wake = try WakeSignal()
        let pcm = try PCMHandle(
            .alsa("null", configuration: "pcm.null { type null }"), .capture, StreamConfiguration(), wake: wake)
        try pcm.check(pcm.start())
        for alarms in [1, 2, 2, 2] {
            pcm.wait(forFrames: 1, timeout: .seconds(5))
            #expect(pcm.falseAlarms == alarms)
        }
        #expect(wake.waits.load(ordering: .relaxed) == 4)
        // Nor does a sleep keep anybody waiting.
        wake.signal()
        pcm.wait(forFrames: pcm.periodFrames, timeout: .seconds(5))
        #expect(pcm.wasWoken)
        wake.clear()

        let ring = SPSCRing<Float>(capacity: pcm.bufferFrames, stride: 1, zero: 0, startingAt: 0)
        #expect(pcm.read(into: ring, frames: pcm.periodFrames) == pcm.periodFrames && pcm.falseAlarms == 0)
        pcm.wait(forFrames: 1, timeout: .seconds(5))
        #expect(pcm.falseAlarms == 1)
    }
}
