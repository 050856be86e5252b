// SPDX-License-Identifier: MIT

import SpeechServices
import StructuredJSON

/// The `info` event that answers `describe`, in the form of the reference implementation.
enum WyomingInfoFrame {
    static func make(_ offer: WyomingEngines, _ program: WyomingServerConfiguration.Program) -> WyomingFrame {
        func artifact(_ name: String, _ description: String, _ rest: JSONObject = [:]) -> JSONValue {
            var object: JSONObject = [
                "name": .string(name), "description": .string(description), "installed": true,
                "version": .string(program.version),
                "attribution": ["name": .string(program.name), "url": .string(program.url)],
            ]
            for (key, value) in rest { object[key] = value }
            return .object(object)
        }
        func languages(_ list: [String]) -> JSONValue { .array(list.map { .string($0) }) }
        /// A program that offers nothing is not listed: clients would show an engine that they cannot use.
        func programs(_ key: String, _ items: [JSONValue], _ rest: JSONObject = [:]) -> JSONValue {
            guard !items.isEmpty else { return [] }
            var object = rest
            object[key] = .array(items)
            return [artifact(program.name, program.description, object)]
        }
        return WyomingFrame(
            "info",
            data: [
                "asr": programs(
                    "models",
                    offer.recognizers.map {
                        artifact($0.id, $0.description, ["languages": languages($0.languages)])
                    },
                    [
                        "supports_transcript_streaming": .bool(offer.recognizers.contains(where: \.streams)),
                        "requires_external_vad": true,
                    ]),
                "tts": programs(
                    "voices",
                    offer.voices.map {
                        artifact($0.id, $0.description, ["languages": languages($0.languages), "speakers": .null])
                    },
                    ["supports_synthesize_streaming": true]),
                "wake": programs(
                    "models",
                    offer.wakeWords.map {
                        artifact(
                            $0.id, $0.phrase, ["phrase": .string($0.phrase), "languages": languages($0.languages)])
                    }),
                "handle": [], "intent": [], "mic": [], "snd": [],
            ])
    }
}
