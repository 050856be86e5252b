// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataVoice
import Domain
import Speech
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct DictationSilenceTests {
    /// The dictation has words for anything that sounds like speech, so voice activity must keep the rest from it.
    @Test func `ten minutes of silence and noise have no words`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("noise.wav")
        let file = try SoundFileWriter(path: path, format: .speech)
        var random = SeededGenerator(seed: 26)
        var brown: Float = 0
        // Digital silence, hiss at −60 and at −40 dBFS, and a low rumble, in turn, for 20 s each.
        for turn in 0..<30 {
            for _ in 0..<20 {
                let samples = (0..<16_000).map { _ in
                    let white = Float.random(in: -1...1, using: &random)
                    brown = 0.98 * brown + 0.02 * white
                    switch turn % 4 {
                    case 0: return Float(0)
                    case 1: return white * 0.001_7
                    case 2: return white * 0.017
                    default: return brown * 0.3
                    }
                }
                try file.write(AudioBuffer(samples: samples, format: .speech))
            }
        }
        try file.close()
        let transcriber = FileTranscriber(
            recognizer: EngineRecognizer(try await DictationRecognizer(showsWords: false)))
        var heard: [Transcript] = []
        let error = await #expect(throws: DomainError.self) {
            try await transcriber.transcribeAll(path) { heard.append(try $0.get()) }
        }
        #expect(error == .noSpeech && heard.isEmpty, "\(heard)")
    }
}
