// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
package import Domain
import SealedRecordings
import Speech
import SpeechEvaluation
import SpeechServices

// The translation of errors of sound, speech and recordings, which `DomainError.init(translating:)` uses.

extension AudioError: TranslatedError {
    package var domainError: DomainError {
        let files: Set<Code> = [
            .fileNotFound, .fileNotReadable, .fileNotWritable, .fileExists, .notASoundFile, .truncatedFile, .emptyFile,
            .diskFull, .tooLong,
        ]
        return files.contains(code) ? .file(sentence) : .device(sentence)
    }
}

extension SpeechError: TranslatedError {
    package var domainError: DomainError { .speechEngine(sentence) }
}

extension SpeechServiceError: TranslatedError {
    package var domainError: DomainError {
        let message = sentence
        return switch code {
        // Its own sentence says all: `offline` is for a server to which something waits to be sent.
        case .unreachable: .server(message)
        case .unauthorized: .keyRefused(message)
        case .stalled: .timedOut(.answer)
        case .quotaExceeded where retryAfter != nil:
            .rateLimited(retryAfter: Int(((retryAfter ?? .zero) / .seconds(1)).rounded(.up)))
        case .quotaExceeded: .overLimit(message)
        case .invalidRequest, .insecure: .invalidInput(message)
        case .outOfResources: .speechEngine(message)
        default: .server(message)
        }
    }
}

extension RecordingError: TranslatedError {
    package var domainError: DomainError {
        let message = Sentence(verbatim: message)
        return switch code {
        case .notFound: .notFound("recording with this id, or its file")
        case .device: device?.domainError ?? .device(message)
        case .damaged, .wrongKey: .damaged(message)
        case .alreadyExists, .permission, .formatNotSupported: .file(message)
        default: .storage(message)
        }
    }
}

extension EvaluationError: TranslatedError {
    package var domainError: DomainError {
        let message = Sentence(verbatim: message)
        return switch code {
        case .emptyRecording: .noSpeech
        case .recognizerFailed: .speechEngine(message)
        case .unreadableRecording: .storage(message)
        default: .invalidInput(message)
        }
    }
}
