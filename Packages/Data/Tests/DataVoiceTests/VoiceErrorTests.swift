// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import DataLayerTestSupport
import DataVoice
import Domain
import SealedRecordings
import Speech
import Testing

/// Each code of an error of sound, speech and recordings has its meaning for a person.
@Suite struct VoiceErrorTests {
    private func check(_ table: [(code: String, meaning: String)], _ error: (String) -> any Error) {
        for (code, meaning) in table {
            #expect(DomainError(translating: error(code)).code == meaning, "\(code)")
        }
    }

    @Test func soundAndSpeech() throws {
        let table: [(code: String, meaning: String)] = [
            ("deviceNotFound", "device"), ("deviceBusy", "device"), ("permission", "device"), ("unplugged", "device"),
            ("deviceChanged", "device"), ("stalled", "device"), ("formatNotSupported", "device"),
            ("closed", "device"), ("io", "device"), ("libraryMissing", "device"),
            ("fileNotFound", "file"), ("fileNotReadable", "file"), ("fileNotWritable", "file"), ("fileExists", "file"),
            ("notASoundFile", "file"), ("truncatedFile", "file"), ("emptyFile", "file"), ("diskFull", "file"),
            ("tooLong", "file"), ("chirpNotHeard", "device"),
        ]
        #expect(try errorCodes("AudioError", in: "AudioKitLinux/Sources/AudioKitLinux") == Set(table.map(\.code)))
        check(table) { AudioError(.init(rawValue: $0), "m") }
        let speech = try errorCodes("SpeechError", in: "Speech/Sources/Speech")
        #expect(speech.count > 10)
        check(speech.map { ($0, "speechEngine") }) { SpeechError(.init(rawValue: $0), "m") }
    }

    @Test func recordings() throws {
        let table: [(code: String, meaning: String)] = [
            ("notFound", "notFound"), ("alreadyExists", "file"), ("wrongKey", "damaged"), ("damaged", "damaged"),
            ("newer", "storage"), ("empty", "storage"), ("tooLittleSpace", "storage"), ("diskFull", "storage"),
            ("permission", "file"), ("formatNotSupported", "file"), ("device", "device"), ("inputOutput", "storage"),
        ]
        #expect(
            try errorCodes("RecordingError", in: "SealedRecordings/Sources/SealedRecordings") == Set(table.map(\.code)))
        check(table) { RecordingError(.init(rawValue: $0), "m") }
    }
}
