// SPDX-License-Identifier: MIT

import Auth
import DataLayer
import DataLayerTestSupport
import Domain
import DurableFiles
import Foundation
import Networking
import Persistence
import PracticeWire
import Security
import Testing

/// Each code of each module's errors has its meaning for a person. The codes are read from the modules' sources, so that a
/// new one without a row here fails.
@Suite struct ErrorMappingTests {
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
            ("digestUnavailable", "generationFailed"), ("libraryMissing", "generationFailed"), ("other", "server"),
            ("eventTooLarge", "server"), ("notAnEventStream", "server"), ("webSocketProtocol", "server"),
            ("webSocketText", "server"), ("webSocketMessageTooBig", "server"), ("webSocketHandshake", "server"),
            ("deliveryUnknown", "server"), ("hostKey", "server"), ("remoteAccessDenied", "server"),
            ("remoteDiskFull", "overLimit"), ("remoteFailure", "server"), ("remoteFileMissing", "server"),
        ]
        #expect(try errorCodes("NetworkError", in: "Networking/Sources/Networking") == Set(table.map(\.code)))
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
        if case .server(let reason) = translated { #expect(reason.english == "because") }
        if case .invalidInput(let reason) = translated { #expect(reason.english.hasSuffix("because")) }
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
        #expect(try errorCodes("AuthError", in: "Auth/Sources/Auth") == Set(table.map(\.code)))
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
        #expect(try errorCodes("SecurityError", in: "Security/Sources/Security") == Set(table.map(\.code)))
        check(table) { SecurityError(code: .init(rawValue: $0), message: "m") }
        check([("new", "storage")]) { SecurityError(code: .init(rawValue: $0), message: "m") }
    }

    @Test func secretStores() throws {
        let table: [(code: String, meaning: String)] = [
            ("invalidName", "invalidInput"), ("valueTooLarge", "invalidInput"),
            ("invalidParameter", "invalidInput"), ("locked", "storage"),
            ("unavailable", "storage"), ("wrongKey", "storage"), ("keyMissing", "storage"), ("damaged", "storage"),
            ("newer", "storage"), ("insecureFile", "file"), ("permission", "file"), ("diskFull", "file"),
            ("busy", "storage"), ("inputOutput", "file"),
        ]
        #expect(try errorCodes("SecretStoreError", in: "Security/Sources/Security") == Set(table.map(\.code)))
        check(table) { SecretStoreError(code: .init(rawValue: $0), message: "m") }
        check([("new", "storage")]) { SecretStoreError(code: .init(rawValue: $0), message: "m") }
    }

    @Test func storageAndTheWire() throws {
        let codes = try errorCodes("DatabaseError", in: "Persistence/Sources/Persistence")
        #expect(codes.count > 20)
        for code in codes {
            let error = DatabaseError(code: .init(rawValue: code), message: "m")
            #expect(DomainError(translating: error) == .storage("m"), "\(code)")
        }
        let denied = FileError("open", "/a", number: EACCES)
        #expect(DomainError(translating: denied) == .file(Sentence(verbatim: denied.description)))
        #expect(DomainError(translating: FileError("save", "/a", number: EIO)).code == "storage")
        #expect(DomainError(translating: MappingFailure("items.3", "is missing")).code == "server")
        #expect(DomainError(translating: DomainError.noSpeech) == .noSpeech)
        struct Other: Error {}
        #expect(DomainError(translating: Other()).code == "generationFailed")
    }
}

/// Each code has a sentence for other languages; English keeps the package's own words.
@Suite struct ErrorSentenceTests {
    @Test func network() throws {
        for code in try errorCodes("NetworkError", in: "Networking/Sources/Networking")
        where !["invalidRequest", "other"].contains(code) {
            let sentence = NetworkError(code: .init(rawValue: code), message: "own words", status: 500).sentence
            #expect(sentence.original == "own words" && sentence.english == "own words", "\(code)")
            #expect(sentence.pattern.count > 20, "\(code)")
        }
        #expect(NetworkError(code: .init(rawValue: "new"), message: "m").sentence.verbatim == "m")
    }

    @Test func auth() throws {
        for code in try errorCodes("AuthError", in: "Auth/Sources/Auth") {
            #expect(AuthError(.init(rawValue: code), "own words").sentence.original == "own words", "\(code)")
        }
    }

    @Test func secrets() throws {
        for code in try errorCodes("SecretStoreError", in: "Security/Sources/Security") {
            let error = SecretStoreError(code: .init(rawValue: code), message: "own words")
            #expect(error.sentence.original == "own words", "\(code)")
        }
        for code in ["wrongPassphrase", "locked", "diskFull", "permission", "damaged", "newer"] {
            let error = SecurityError(code: .init(rawValue: code), message: "own words")
            #expect(error.sentence.original == "own words", "\(code)")
        }
    }

    @Test func `a status names what to do`() {
        for (status, word) in [(401, "access"), (429, "Wait"), (503, "fault"), (404, "address")] {
            let sentence = NetworkError(code: .status, message: "m", status: status).sentence
            #expect(sentence.pattern.contains(word), "\(status)")
        }
    }
}
