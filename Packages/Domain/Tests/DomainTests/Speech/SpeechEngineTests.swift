// SPDX-License-Identifier: MIT

import Domain
import Testing

@Suite struct SpeechEngineTests {
    @Test(arguments: [
        (0, 900), (450, 900), (451, 902), (1_200, 2_400), (5_000, 10_000), (60_000, 10_000),
    ])
    func `patience is twice the latency within its limits`(latency: Int, patience: Int) {
        #expect(SpeechEngine.patience(afterLatency: .milliseconds(latency)) == .milliseconds(patience))
    }

    @Test func `a use that no engine has is left out`() {
        let whisper = SpeechEngine(name: "w", kind: .whispercpp, address: "http://127.0.0.1:8080")
        let list = SpeechEngineList([whisper], used: [.recognition: "gone", .synthesis: "w"])
        #expect(list.used.isEmpty && list.engine(for: .recognition) == nil)
        #expect(SpeechEngineList([whisper], used: [.recognition: "w"]).engine(for: .recognition) == whisper)
    }
}
