// SPDX-License-Identifier: MIT

import Auth
import CommandLineArguments
import Concurrency
import CrashReports
import DataAssistant
import Domain
import Echo
import MCP
import Networking
import Security
import Sync

/// The program's exit code. Every exit code is decided here.
enum ExitCode: Int32 {
    case done = 0
    case usage = 2
    case refused = 3
    case device = 4
    case network = 5
    case data = 6
    case interrupted = 130

    /// The exit code for an error that reached the top.
    init(for error: any Error) {
        switch error {
        case is UsageError: self = .usage
        case is CancellationError: self = .interrupted
        case let error as DomainError: self = ExitCode(error)
        case let error as QuestionNotKept: self = ExitCode(error.error)
        case let error as NetworkError: self = ExitCode(error)
        case let error as AuthError: self = ExitCode(error)
        case let error as EchoError: self = error.exitCode
        case let error as MCPError: self = error.exitCode
        case let error as SecretStoreError: self = ExitCode(error)
        case let error as SecurityError: self = ExitCode(error)
        case let error as SyncError: self = ExitCode(error)
        case let error as SocketError: self = error.code == .invalidAddress ? .usage : .network
        case let error as CrashReportError: self = error.code == .notFound ? .refused : .data
        case AttachmentError.refused: self = .refused
        case is AttachmentError, is UnsupportedModel: self = .usage
        case is SecretNotFound, is NothingAtAddress: self = .refused
        default: self = .data
        }
    }

    private init(_ error: AuthError) {
        switch error.code {
        case .invalidConfiguration, .invalidAddress: self = .usage
        case .noNetwork, .notTrusted, .server: self = .network
        case .storage, .busy: self = .data
        default: self = .refused
        }
    }

    private init(_ error: SyncError) {
        switch error.code {
        case .unreachable, .invalidAnswer, .full, .readOnly: self = .network
        case .refused, .declined, .expired, .notMember, .exists: self = .refused
        case .mistyped, .notFound: self = .usage
        default: self = .data
        }
    }

    private init(_ error: SecretStoreError) {
        switch error.code {
        case .invalidName, .invalidParameter, .valueTooLarge: self = .usage
        case .locked, .wrongKey: self = .refused
        default: self = .data
        }
    }

    private init(_ error: SecurityError) {
        switch error.code {
        case .invalidParameter: self = .usage
        case .locked, .wrongKey, .wrongPassphrase, .tooManyFailures: self = .refused
        default: self = .data
        }
    }

    private init(_ error: NetworkError) {
        switch error.code {
        case .invalidRequest, .insecure: self = .usage
        case .file: self = .data
        default: self = .network
        }
    }

    private init(_ error: DomainError) {
        switch error {
        case .keptForLater: self = .done
        case .emptyQuery, .queryTooLong, .invalidInput: self = .usage
        case .invalidQuery, .noSpeech, .notUnderstood, .speechTooLong, .notFound, .signInNeeded, .overLimit,
            .keyRefused, .notAllowed:
            self = .refused
        case .device: self = .device
        case .offline, .timedOut, .rateLimited, .server: self = .network
        case .generationFailed, .file, .speechEngine, .storage, .unusable, .damaged: self = .data
        }
    }
}
