// SPDX-License-Identifier: MIT

import AudioKitLinux
import Auth
public import Domain
import DurableFiles
import Networking
import Persistence
import SealedRecordings
import Security
import Speech
import SpeechEvaluation

extension DomainError {
    /// What an error of the infrastructure means to a person; its message already says what to do.
    public init(translating error: any Error) {
        switch error {
        case let error as DomainError: self = error
        case let error as AudioError: self = .init(error)
        case let error as RecordingError: self = .init(error)
        case let error as EvaluationError: self = .init(error)
        case let error as SpeechError: self = .speechEngine(error.message)
        case let error as FileError: self = error.isDenied ? .file(error.description) : .storage(error.description)
        case let error as DatabaseError: self = .storage(error.message)
        case let error as NetworkError: self = .init(error)
        case let error as AuthError: self = .init(error)
        case let error as SecurityError: self = .init(error)
        case let error as SecretStoreError: self = .init(error)
        case let error as MappingFailure:
            self = .server("The server's answer cannot be read: \(error) It may speak a newer version.")
        default: self = .generationFailed("\(error)")
        }
    }

    private init(_ error: AudioError) {
        let files: Set<AudioError.Code> = [
            .fileNotFound, .fileNotReadable, .fileNotWritable, .fileExists, .notASoundFile, .truncatedFile, .emptyFile,
            .diskFull, .tooLong,
        ]
        self = files.contains(error.code) ? .file(error.message) : .device(error.message)
    }
}

/// Runs `body` and translates the infrastructure's errors; `CancellationError` passes untouched.
///
/// - Parameter damage: What a person reads when the database is damaged; nil for the database's own words.
func domainErrors<Value>(
    damage: String? = nil, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
) async throws -> Value {
    do {
        return try await body()
    } catch is CancellationError {
        throw CancellationError()
    } catch let error as DatabaseError where error.code == .damaged && damage != nil {
        throw DomainError.storage(damage ?? error.message)
    } catch {
        throw DomainError(translating: error)
    }
}
