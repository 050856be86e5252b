// SPDX-License-Identifier: MIT

import StructuredJSON

/// Reads a server's `info`: programs of `asr` with `models`, programs of `tts` with `voices`.
enum WyomingInfo {
    static func offer(in data: JSONObject) -> SpeechServiceOffer {
        var offer = SpeechServiceOffer()
        for program in data["asr"]?.array ?? [] {
            offer.recognitionModels += installed(program["models"])
            if program["supports_transcript_streaming"]?.bool == true { offer.streamsTranscripts = true }
        }
        for program in data["tts"]?.array ?? [] {
            // The protocol's README says `models`, its code `voices`.
            offer.voices += installed(program["voices"] ?? program["models"])
            if program["supports_synthesize_streaming"]?.bool == true { offer.streamsSynthesis = true }
        }
        return offer
    }

    private static func installed(_ list: JSONValue?) -> [SpeechServiceOffer.Item] {
        (list?.array ?? []).compactMap { entry in
            guard let name = entry["name"]?.string, entry["installed"]?.bool != false else { return nil }
            let languages = (entry["languages"]?.array ?? []).compactMap(\.string)
            return .init(id: name, name: entry["description"]?.string, languages: languages)
        }
    }
}
