// SPDX-License-Identifier: MIT

import AudioKitLinux
package import Domain
import Speech
package import SpeechServices

extension AudioError {
    /// The error for a person: the message in English, in other languages a sentence for the code. A code without a row here
    /// keeps its message.
    var sentence: Sentence {
        translation.map { Sentence(verbatim: message, elsewhere: $0) } ?? Sentence(verbatim: message)
    }

    private var translation: Sentence? {
        switch code {
        case .deviceNotFound:
            "The sound device does not exist. parley devices lists those that do. Details: \(message)"
        case .deviceBusy: "Another program is using the sound device. Close it, then try again. Details: \(message)"
        case .deviceChanged: "Another sound device is in use now. Details: \(message)"
        case .unplugged: "The sound device was unplugged, or does not answer. Plug it in again."
        case .stalled: "The sound device delivers nothing. Check that it is not muted, or choose another one."
        case .permission: "The system denies access to the sound device or the file. Details: \(message)"
        case .fileNotFound: "The sound file or its folder does not exist. Details: \(message)"
        case .fileNotReadable: "The sound file cannot be read. Details: \(message)"
        case .fileNotWritable: "The sound file cannot be written. Details: \(message)"
        case .fileExists: "A file of this name exists already. Details: \(message)"
        case .notASoundFile: "This is not a sound file that can be read. Details: \(message)"
        case .truncatedFile, .emptyFile: "The sound file is empty or cut off. Details: \(message)"
        case .diskFull: "The disk is full. Free some room, then try again. Details: \(message)"
        case .libraryMissing: "A library of the system is missing. Details: \(message)"
        default: nil
        }
    }
}

extension SpeechError {
    /// The error for a person: the message in English, in other languages a sentence for the code. A code without a row here
    /// keeps its message.
    var sentence: Sentence {
        translation.map { Sentence(verbatim: message, elsewhere: $0) } ?? Sentence(verbatim: message)
    }

    private var translation: Sentence? {
        switch code {
        case .modelMissing, .modelDamaged:
            "This machine's model of speech is missing or damaged. Install parley again. Details: \(message)"
        case .invalidPhrase: "The wake word cannot be used. Details: \(message)"
        case .unknownWords: "The dictionary lacks the pronunciation of a word. Details: \(message)"
        case .recognitionFailed: "The speech could not be recognised. Try again."
        case .tooLong: "The speech is too long. Say it in shorter pieces."
        case .voiceMissing: "This machine has no such voice. Details: \(message)"
        case .recognizerMissing, .synthesizerMissing: "A library of the system is missing. Details: \(message)"
        case .synthesisFailed: "The voice failed before all was said. Try again."
        case .outOfResources: "There is too little memory for speech. Close other programs, then try again."
        default: nil
        }
    }
}

extension SpeechServiceError {
    /// The error for a person: the description in English, in other languages a sentence for the code, with the engine's own
    /// words. A code without a row here keeps its description.
    package var sentence: Sentence {
        // The message of an engine out of reach says all.
        let text = code == .unreachable ? message : description
        return translation.map { Sentence(verbatim: text, elsewhere: $0) } ?? Sentence(verbatim: text)
    }

    private var translation: Sentence? {
        let sentence: Sentence? =
            switch code {
            case .unauthorized: "The speech engine does not accept the key, or needs one."
            case .quotaExceeded: "The speech engine takes no more requests for now, or the account's credit is used up."
            case .voiceMissing: "The speech engine has no such voice."
            case .modelMissing: "The speech engine has no such model."
            case .wrongFormat: "The speech engine's sound has another format than agreed."
            case .stalled: "The speech engine did not answer in time."
            case .cut: "The connection to the speech engine broke. Try again."
            case .unreachable: "The speech engine cannot be reached. Check that it runs, its address and the network."
            case .untrusted: "The connection to the speech engine is not safe, so nothing was sent to it."
            case .insecure: "Nothing is sent to the speech engine without encryption unless you allow it."
            case .tooLarge: "The speech or the answer is too long for the speech engine."
            case .serverFailed: "The speech engine has a fault. Try again later."
            case .refused: "The speech engine turned it down."
            case .invalidResponse: "The speech engine's answer is not understood. Check its kind and address."
            default: nil
            }
        guard let sentence, let underlying else { return sentence }
        return "\(sentence) It says: \(underlying)"
    }
}
