// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import DataLayerTestSupport
import DataVoice
import Domain
import SealedRecordings
import Speech
import SpeechServices
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

    @Test func speechServices() throws {
        let table: [(code: String, meaning: String)] = [
            ("unauthorized", "keyRefused"), ("quotaExceeded", "overLimit"), ("voiceMissing", "server"),
            ("modelMissing", "server"), ("wrongFormat", "server"), ("stalled", "timedOut"), ("cut", "server"),
            ("unreachable", "server"), ("untrusted", "server"), ("insecure", "invalidInput"),
            ("tooLarge", "server"), ("serverFailed", "server"), ("refused", "server"), ("invalidResponse", "server"),
            ("invalidRequest", "invalidInput"), ("outOfResources", "speechEngine"),
        ]
        #expect(
            try errorCodes("SpeechServiceError", in: "SpeechServices/Sources/SpeechServices") == Set(table.map(\.code)))
        check(table) { SpeechServiceError(.init(rawValue: $0), "m") }
        let wait = SpeechServiceError(.quotaExceeded, "m", retryAfter: .milliseconds(6_100))
        #expect(DomainError(translating: wait) == .rateLimited(retryAfter: 7))
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
