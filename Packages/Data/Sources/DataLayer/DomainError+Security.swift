// SPDX-License-Identifier: MIT

import Domain
import Security

/// Errors of encrypted files, keys and secret stores: `invalidInput` for typed input, `file` for a file that can be
/// chosen or needs room, `storage` for the rest.
extension DomainError {
    init(_ error: SecurityError) {
        self = Self.securityMeanings[error.code]?(error.sentence) ?? .storage(error.sentence)
    }

    init(_ error: SecretStoreError) {
        self = Self.secretStoreMeanings[error.code]?(error.sentence) ?? .storage(error.sentence)
    }

    private typealias Meaning = @Sendable (Sentence) -> DomainError

    private static let securityMeanings: [SecurityError.Code: Meaning] = [
        .authenticationFailed: { .storage($0) },
        .invalidParameter: { .generationFailed($0) },
        .keyExhausted: { .storage($0) },
        .wrongKey: { .storage($0) },
        .damaged: { .storage($0) },
        .incomplete: { .storage($0) },
        .newer: { .storage($0) },
        .notFound: { .file($0) },
        .alreadyExists: { .file($0) },
        .permission: { .file($0) },
        .insecureFile: { .file($0) },
        .diskFull: { .file($0) },
        .inputOutput: { .file($0) },
        .busy: { .storage($0) },
        .closed: { .storage($0) },
        .wrongPassphrase: { .invalidInput($0) },
        .tooManyFailures: { .invalidInput($0) },
        .locked: { .invalidInput($0) },
        .unavailable: { .generationFailed($0) },
    ]

    private static let secretStoreMeanings: [SecretStoreError.Code: Meaning] = [
        .invalidName: { .invalidInput($0) },
        .invalidParameter: { .invalidInput($0) },
        .valueTooLarge: { .invalidInput($0) },
        .locked: { .storage($0) },
        .unavailable: { .storage($0) },
        .wrongKey: { .storage($0) },
        .keyMissing: { .storage($0) },
        .damaged: { .storage($0) },
        .newer: { .storage($0) },
        .insecureFile: { .file($0) },
        .permission: { .file($0) },
        .diskFull: { .file($0) },
        .busy: { .storage($0) },
        .inputOutput: { .file($0) },
    ]
}
