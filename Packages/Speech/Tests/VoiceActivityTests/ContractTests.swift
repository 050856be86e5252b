// SPDX-License-Identifier: MIT
import Testing
import VoiceActivity

@Suite("Voice activity")
struct ContractTests {
    @Test("a detector is a value that any caller can hold behind the port")
    func port() {
        struct Silent: VoiceActivityDetector {
            static let sampleRate = 16_000
            mutating func process(_ samples: [Float]) -> [Float] { [Float](repeating: 0, count: samples.count / 160) }
            mutating func finish() -> [Float] { [] }
            mutating func reset() {}
        }
        var detector: any VoiceActivityDetector = Silent()
        #expect(detector.process([Float](repeating: 0, count: 320)) == [0, 0])
    }
}
