// SPDX-License-Identifier: MIT

import Digests
import Networking

/// Removes private data from JSON for a trace, and keeps what the machine's decisions depend on.
///
/// Text is replaced letter by letter, so that its position, its length and the ends of sentences stay; sound by its
/// length and hash; instructions, log probabilities and pictures are left out. Names, ids, codes and numbers stay.
enum TraceRedaction {
    /// The limit of the sound of one piece, in bytes: the most that one message of the API may contain.
    static let maximumSound = 20 << 20

    /// Members whose strings are kept if they look like names: the API's, then those of this module's values.
    private static let kept: Set<String> = [
        "type", "id", "event_id", "item_id", "previous_item_id", "response_id", "call_id", "conversation_id",
        "approval_request_id", "object", "role", "status", "code", "reason", "name", "model", "voice",
        "server_label", "conversation", "eagerness", "effort", "output_modalities", "tool_choice", "include",
        "required", "language", "max_output_tokens", "echo_request", "param", "sha256", "kind", "mode",
        "after", "callID", "itemID", "named", "names", "noiseReduction", "parameter", "reasoning",
        "responseID", "semantic",
    ]
    private static let dropped: Set<String> = ["instructions", "logprobs", "image_url"]

    /// JSON without private data.
    ///
    /// - Parameter name: The name of the member with it.
    static func redacted(_ json: JSONValue, name: String = "") -> JSONValue { redacted(json, name: name, type: nil) }

    private static func redacted(_ json: JSONValue, name: String, type: String?) -> JSONValue {
        switch json {
        case .string(let text):
            if name == "audio" || name == "delta" && type == "response.output_audio.delta",
                let bytes = Base64.decode(text)
            {
                return sound(bytes)
            }
            return .string(kept.contains(name) && looksLikeName(text) ? text : redacted(text))
        case .array(let values):
            // The bytes of tokens are text.
            if name == "bytes" { return [] }
            return .array(values.map { redacted($0, name: name, type: type) })
        case .object(let object):
            var result = JSONObject()
            let type = object["type"]?.string
            for (member, value) in object where !dropped.contains(member) {
                // A case's value without a label has the name of the case.
                result[member] = redacted(value, name: member == "_0" ? name : member, type: type)
            }
            return .object(result)
        case .null, .bool, .integer, .double: return json
        }
    }

    /// Text without its content. The number of characters, the classes of letters, digits and white space, and the ends
    /// of sentences stay: the machine's decisions depend on them.
    static func redacted(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(standIn(for: scalar)) }
        return String(result)
    }

    /// A scalar of the same kind, which joins its neighbours to one character (UAX 29) as the original does.
    private static func standIn(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        let properties = scalar.properties
        switch (scalar.value, properties.generalCategory) {
        case (0x0900..<0x0D80, let category) where scalar.value & 0x7F == 0x4D || !category.isMark:
            return properties.numericType != nil ? "0" : indic(scalar, isLetter: properties.isAlphabetic)
        case (0x1100...0x115F, _): return "\u{1100}"
        case (0x1160...0x11A7, _): return "\u{1161}"
        case (0x11A8...0x11FF, _): return "\u{11A8}"
        case (0xAC00...0xD7A3, _): return (scalar.value - 0xAC00) % 28 == 0 ? "\u{AC00}" : "\u{AC01}"
        case (0x1F1E6...0x1F1FF, _): return "\u{1F1E6}"
        case (0x1F3FB...0x1F3FF, _): return "\u{1F3FB}"
        case (_, let category) where category.isMark: return "\u{301}"
        case (0x2190..., .otherSymbol): return properties.isAlphabetic ? "x" : "\u{1F600}"
        default:
            if properties.numericType != nil { return "0" }
            return properties.isAlphabetic ? "x" : scalar
        }
    }

    /// The scripts of India join consonants by a virama, at one place of each block of 128; so does the block's KA.
    private static func indic(_ scalar: Unicode.Scalar, isLetter: Bool) -> Unicode.Scalar {
        guard isLetter, scalar.value & 0x7F != 0x4D else { return scalar }
        return Unicode.Scalar(scalar.value & ~0x7F | 0x15) ?? "x"
    }

    /// The replacement of sound.
    static func sound(_ bytes: [UInt8]) -> JSONValue {
        var object: JSONObject = ["bytes": .integer(bytes.count)]
        // If the system's library forbids the hash, only the length is there.
        if let digest = try? MessageDigest.hash(bytes, .sha256) {
            object["sha256"] = .string(Hexadecimal.text(digest))
        }
        return .object(object)
    }

    /// JSON in which each sound is replaced by silence of the same length, so that it can be read.
    static func restored(_ json: JSONValue) -> JSONValue {
        switch json {
        case .array(let values): return .array(values.map(restored))
        case .object(let object):
            if let bytes = silence(json) { return .string(Base64.encode(bytes)) }
            return .object(JSONObject(object.map { ($0.name, restored($0.value)) }))
        case .null, .bool, .integer, .double, .string: return json
        }
    }

    /// Silence of the replaced sound's length; `nil` if the JSON is not a replaced sound.
    static func silence(_ json: JSONValue) -> [UInt8]? {
        guard let object = json.object, object.count <= 2, let count = object["bytes"]?.integer,
            (0...maximumSound).contains(count), object.count == 1 || object["sha256"]?.string != nil
        else { return nil }
        return [UInt8](repeating: 0, count: count)
    }

    /// JSON without the hashes of sounds: the part that is the same after sound was replaced by silence.
    static func withoutHashes(_ json: JSONValue) -> JSONValue {
        switch json {
        case .array(let values): return .array(values.map(withoutHashes))
        case .object(let object):
            let members = object.filter { $0.name != "sha256" }
            return .object(JSONObject(members.map { ($0.name, withoutHashes($0.value)) }))
        case .null, .bool, .integer, .double, .string: return json
        }
    }

    private static func looksLikeName(_ text: String) -> Bool {
        text.utf8.count <= 200 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isMark: Bool { self == .nonspacingMark || self == .spacingMark || self == .enclosingMark }
}
