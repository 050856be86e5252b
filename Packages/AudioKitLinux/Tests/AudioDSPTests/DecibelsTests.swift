// SPDX-License-Identifier: MIT
import AudioDSP
import Testing

@Suite("Decibels")
struct DecibelsTests {
    @Test("full scale is 0, a half is -6.02, and nothing falls below the floor")
    func levels() {
        #expect(Decibels.ofAmplitude(1) == 0)
        #expect(abs(Decibels.ofAmplitude(0.5) + 6.0206) < 1e-3)
        #expect(abs(Decibels.ofPower(0.5) + 3.0103) < 1e-3)
        for nothing in [0, -1, Float.nan] {
            #expect(Decibels.ofAmplitude(nothing) == -120)
            #expect(Decibels.ofPower(nothing, floor: -90) == -90)
        }
        #expect(abs(Decibels.amplitude(-6.0206) - 0.5) < 1e-4)
    }
}
