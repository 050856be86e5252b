// SPDX-License-Identifier: MIT

import Domain
import Speech

extension Transcript {
    /// The words of an accepted recognition; `nil` if there was nothing to recognise.
    ///
    /// - Throws: ``DomainError/noSpeech`` or ``DomainError/notUnderstood``.
    init(of recognition: Recognition?) throws(DomainError) {
        guard let recognition else { throw .noSpeech }
        switch recognition.outcome {
        case .accepted: self.init(text: recognition.text, confidence: recognition.confidence)
        case .rejected: throw .notUnderstood
        case .silence: throw .noSpeech
        }
    }
}
