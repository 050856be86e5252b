// SPDX-License-Identifier: MIT

import AudioKitLinux
import Auth
import DataLayer
import Domain
import Foundation
import Networking
import Persistence
import SealedRecordings
import Security
import Speech
import Testing

/// Each code of each module's errors has its meaning for a person. The codes are read from the modules' sources, so that a
/// new one without a row here fails.
@Suite struct ErrorMappingTests {
    private static let packages = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The names of the codes of an error type, from the sources of its package.
    private func codes(_ type: String, in folder: String) throws -> Set<String> {
        let folder = Self.packages.appending(path: folder)
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var codes: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            guard file.lastPathComponent.hasPrefix(type) || text.contains("extension \(type).Code") else { continue }
            for match in text.matches(of: /public static let \w+ = (?:\w+\.)?(?:Code|Self)\(rawValue: "(\w+)"\)/) {
                codes.insert(String(match.output.1))
            }
        }
        return codes
    }

    private func check(_ table: [(code: String, meaning: String)], _ error: (String) -> any Error) {
        for (code, meaning) in table {
            #expect(DomainError(translating: error(code)).code == meaning, "\(code)")
        }
    }

    @Test func network() throws {
        let table: [(code: String, meaning: String)] = [
            ("invalidRequest", "invalidInput"), ("insecure", "invalidInput"), ("resolve", "offline"),
            ("connect", "offline"), ("proxy", "offline"), ("secure", "offline"), ("certificate", "server"),
            ("pin", "server"), ("connectionLost", "offline"), ("invalidResponse", "server"),
            ("connectTimeout", "timedOut"), ("firstByteTimeout", "timedOut"), ("idleTimeout", "timedOut"),
            ("timeout", "timedOut"), ("responseTooLarge", "server"), ("headerTooLarge", "server"),
            ("outOfMemory", "generationFailed"), ("redirect", "server"), ("requestBody", "file"), ("status", "server"),
            ("decoding", "server"), ("unauthorized", "signInNeeded"), ("refreshLimit", "rateLimited"),
            ("circuitOpen", "offline"), ("notCached", "offline"), ("file", "file"), ("closed", "offline"),
            ("digestUnavailable", "generationFailed"), ("other", "server"),
            ("eventTooLarge", "server"), ("notAnEventStream", "server"), ("webSocketProtocol", "server"),
            ("webSocketText", "server"), ("webSocketMessageTooBig", "server"), ("webSocketHandshake", "server"),
            ("deliveryUnknown", "server"),
        ]
        #expect(try codes("NetworkError", in: "Networking/Sources/Networking") == Set(table.map(\.code)))
        check(table) { NetworkError(code: .init(rawValue: $0), message: "m") }
        check([("new", "server")]) { NetworkError(code: .init(rawValue: $0), message: "m") }
    }

    @Test(arguments: [
        (401, "signInNeeded"), (404, "notFound"), (410, "notFound"), (413, "overLimit"), (408, "timedOut"),
        (429, "rateLimited"),
        (423, "server"), (425, "server"), (400, "invalidInput"), (403, "invalidInput"), (409, "invalidInput"),
        (412, "invalidInput"), (415, "invalidInput"), (422, "invalidInput"),
        (460, "invalidInput"), (499, "invalidInput"), (500, "server"), (502, "server"), (503, "server"),
        (504, "server"),
        (599, "server"), (302, "server"),
    ])
    func status(_ status: Int, _ meaning: String) {
        let problem = ProblemDetails(detail: "because")
        let error = NetworkError(code: .status, message: "m", status: status, problem: problem)
        let translated = DomainError(translating: error)
        #expect(translated.code == meaning)
        if case .server(let reason) = translated { #expect(reason == "because") }
        if case .invalidInput(let reason) = translated { #expect(reason.hasSuffix("because")) }
    }

    @Test func howLongToWaitIsTold() {
        func translated(_ status: Int, _ wait: Duration?) -> DomainError {
            DomainError(translating: NetworkError(code: .status, message: "m", status: status, retryAfter: wait))
        }
        #expect(translated(429, .milliseconds(6_100)) == .rateLimited(retryAfter: 7))
        #expect(translated(429, nil) == .rateLimited(retryAfter: 30))
        #expect(translated(503, .seconds(9)) == .rateLimited(retryAfter: 9))
        for code in [AuthError.Code.tooManyMails, .tooManyAttempts] {
            let error = AuthError(code, "m", retryAfter: .seconds(55))
            #expect(DomainError(translating: error) == .rateLimited(retryAfter: 55))
            #expect(DomainError(translating: AuthError(code, "m")) == .rateLimited(retryAfter: 60))
        }
    }

    @Test func auth() throws {
        let table: [(code: String, meaning: String)] = [
            ("wrongCode", "invalidInput"), ("expired", "invalidInput"), ("alreadyUsed", "invalidInput"),
            ("tooManyAttempts", "rateLimited"), ("tooManyMails", "rateLimited"), ("noNetwork", "offline"),
            ("notTrusted", "server"), ("signedOut", "signInNeeded"), ("reused", "signInNeeded"),
            ("unauthorized", "signInNeeded"), ("invalidLink", "invalidInput"), ("wrongDevice", "invalidInput"),
            ("noPendingSignIn", "invalidInput"), ("alreadySignedIn", "invalidInput"),
            ("invalidAddress", "invalidInput"), ("unsupported", "server"), ("refused", "server"), ("server", "server"),
            ("storage", "storage"), ("busy", "storage"), ("invalidConfiguration", "invalidInput"),
        ]
        #expect(try codes("AuthError", in: "Auth/Sources/Auth") == Set(table.map(\.code)))
        check(table) { AuthError(.init(rawValue: $0), "m") }
        check([("new", "server")]) { AuthError(.init(rawValue: $0), "m") }
    }

    @Test func security() throws {
        let table: [(code: String, meaning: String)] = [
            ("authenticationFailed", "storage"), ("invalidParameter", "generationFailed"), ("keyExhausted", "storage"),
            ("wrongKey", "storage"), ("damaged", "storage"), ("incomplete", "storage"), ("newer", "storage"),
            ("notFound", "file"), ("alreadyExists", "file"), ("permission", "file"), ("insecureFile", "file"),
            ("diskFull", "file"), ("inputOutput", "file"), ("busy", "storage"), ("closed", "storage"),
            ("wrongPassphrase", "invalidInput"), ("tooManyFailures", "invalidInput"), ("locked", "invalidInput"),
            ("unavailable", "generationFailed"),
        ]
        #expect(try codes("SecurityError", in: "Security/Sources/Security") == Set(table.map(\.code)))
        check(table) { SecurityError(code: .init(rawValue: $0), message: "m") }
        check([("new", "storage")]) { SecurityError(code: .init(rawValue: $0), message: "m") }
    }

    @Test func secretStores() throws {
        let table: [(code: String, meaning: String)] = [
            ("invalidName", "invalidInput"), ("valueTooLarge", "invalidInput"), ("locked", "storage"),
            ("unavailable", "storage"), ("wrongKey", "storage"), ("keyMissing", "storage"), ("damaged", "storage"),
            ("newer", "storage"), ("insecureFile", "file"), ("permission", "file"), ("diskFull", "file"),
            ("busy", "storage"), ("inputOutput", "file"),
        ]
        #expect(try codes("SecretStoreError", in: "Security/Sources/Security") == Set(table.map(\.code)))
        check(table) { SecretStoreError(code: .init(rawValue: $0), message: "m") }
        check([("new", "storage")]) { SecretStoreError(code: .init(rawValue: $0), message: "m") }
    }

    @Test func soundAndSpeech() throws {
        let table: [(code: String, meaning: String)] = [
            ("deviceNotFound", "device"), ("deviceBusy", "device"), ("permission", "device"), ("unplugged", "device"),
            ("deviceChanged", "device"), ("stalled", "device"), ("formatNotSupported", "device"),
            ("closed", "device"), ("io", "device"),
            ("fileNotFound", "file"), ("fileNotReadable", "file"), ("fileNotWritable", "file"), ("fileExists", "file"),
            ("notASoundFile", "file"), ("truncatedFile", "file"), ("emptyFile", "file"), ("diskFull", "file"),
            ("tooLong", "file"), ("chirpNotHeard", "device"),
        ]
        #expect(try codes("AudioError", in: "AudioKitLinux/Sources/AudioKitLinux") == Set(table.map(\.code)))
        check(table) { AudioError(.init(rawValue: $0), "m") }
        let speech = try codes("SpeechError", in: "Speech/Sources/Speech")
        #expect(speech.count > 10)
        check(speech.map { ($0, "speechEngine") }) { SpeechError(.init(rawValue: $0), "m") }
    }

    @Test func recordings() throws {
        let table: [(code: String, meaning: String)] = [
            ("notFound", "notFound"), ("alreadyExists", "file"), ("wrongKey", "damaged"), ("damaged", "damaged"),
            ("newer", "storage"), ("empty", "storage"), ("tooLittleSpace", "storage"), ("diskFull", "storage"),
            ("permission", "file"), ("formatNotSupported", "file"), ("device", "device"), ("inputOutput", "storage"),
        ]
        #expect(try codes("RecordingError", in: "SealedRecordings/Sources/SealedRecordings") == Set(table.map(\.code)))
        check(table) { RecordingError(.init(rawValue: $0), "m") }
    }

    @Test func storageAndTheWire() throws {
        let codes = try codes("DatabaseError", in: "Persistence/Sources/Persistence")
        #expect(codes.count > 20)
        for code in codes {
            let error = DatabaseError(code: .init(rawValue: code), message: "m")
            #expect(DomainError(translating: error) == .storage("m"), "\(code)")
        }
        #expect(DomainError(translating: MappingFailure("items.3", "is missing")).code == "server")
        #expect(DomainError(translating: DomainError.noSpeech) == .noSpeech)
        struct Other: Error {}
        #expect(DomainError(translating: Other()).code == "generationFailed")
    }
}
