// SPDX-License-Identifier: MIT

import Foundation

@testable import EchoText

/// Events a second through the typed decoder, and through Foundation's alone.
enum Decoding {
    private struct Event {
        let bytes: [UInt8]
        let data: Data
        let decode: (JSONDecoder, Data) throws -> Void

        init<Peer: Decodable>(_ text: String, _ type: Peer.Type) {
            bytes = Array(text.utf8)
            data = Data(bytes)
            decode = { decoder, data in _ = try decoder.decode(type, from: data) }
        }
    }

    private static let count = 20_000
    private static let rounds = 9

    static func measure() throws {
        let deltas = (0..<count).map { Event(Samples.textDelta($0), TextDelta.self) }
        let stream = (0..<count).map { number in
            switch number % 40 {
            case 0: Event(Samples.lifecycle("response.in_progress", number), Lifecycle.self)
            case 1: Event(Samples.itemAdded(number), ItemAdded.self)
            case 2: Event(Samples.partAdded(number), PartAdded.self)
            case 3: Event(Samples.textDone(number), TextDone.self)
            case 4..<10: Event(Samples.argumentsDelta(number), ArgumentsDelta.self)
            default: Event(Samples.textDelta(number), TextDelta.self)
            }
        }
        try measure("text deltas", deltas)
        try measure("a whole stream", stream)
    }

    private static func measure(_ name: String, _ events: [Event]) throws {
        let decoder = JSONDecoder()
        var ours = Double.infinity
        var theirs = Double.infinity
        for _ in 0..<rounds {
            ours = min(
                ours, try seconds { for event in events { _ = try ResponseStreamEvent(parsing: event.bytes.span) } })
            theirs = min(theirs, try seconds { for event in events { try event.decode(decoder, event.data) } })
        }
        let number = Double(events.count)
        emit("events decoded: \(name)", number / ours, "events/s", peer: "JSONDecoder", number / theirs)
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
        try body()
        return Double(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - start) / 1e9
    }
}

/// What JSONDecoder reads: the fields that our events have.
private struct TextDelta: Decodable {
    let type: String
    let sequenceNumber: Int
    let itemID: String
    let outputIndex: Int
    let contentIndex: Int
    let delta: String
    let logprobs: [String]

    enum CodingKeys: String, CodingKey {
        case type, delta, logprobs
        case sequenceNumber = "sequence_number"
        case itemID = "item_id"
        case outputIndex = "output_index"
        case contentIndex = "content_index"
    }
}

private struct ArgumentsDelta: Decodable {
    let type: String
    let sequenceNumber: Int
    let itemID: String
    let outputIndex: Int
    let delta: String

    enum CodingKeys: String, CodingKey {
        case type, delta
        case sequenceNumber = "sequence_number"
        case itemID = "item_id"
        case outputIndex = "output_index"
    }
}

private struct TextDone: Decodable {
    let type: String
    let sequenceNumber: Int
    let itemID: String
    let outputIndex: Int
    let contentIndex: Int
    let text: String
    let logprobs: [String]

    enum CodingKeys: String, CodingKey {
        case type, text, logprobs
        case sequenceNumber = "sequence_number"
        case itemID = "item_id"
        case outputIndex = "output_index"
        case contentIndex = "content_index"
    }
}

private struct ItemAdded: Decodable {
    struct Item: Decodable {
        let id: String
        let type: String
        let status: String
        let role: String
        let content: [String]
    }

    let type: String
    let sequenceNumber: Int
    let outputIndex: Int
    let item: Item

    enum CodingKeys: String, CodingKey {
        case type, item
        case sequenceNumber = "sequence_number"
        case outputIndex = "output_index"
    }
}

private struct PartAdded: Decodable {
    struct Part: Decodable {
        let type: String
        let text: String
        let annotations: [String]
        let logprobs: [String]
    }

    let type: String
    let sequenceNumber: Int
    let itemID: String
    let outputIndex: Int
    let contentIndex: Int
    let part: Part

    enum CodingKeys: String, CodingKey {
        case type, part
        case sequenceNumber = "sequence_number"
        case itemID = "item_id"
        case outputIndex = "output_index"
        case contentIndex = "content_index"
    }
}

private struct Lifecycle: Decodable {
    struct Response: Decodable {
        let id: String
        let model: String
        let status: String
        let output: [String]
        let createdAt: Double
        let metadata: [String: String]
        let background: Bool

        enum CodingKeys: String, CodingKey {
            case id, model, status, output, metadata, background
            case createdAt = "created_at"
        }
    }

    let type: String
    let sequenceNumber: Int
    let response: Response

    enum CodingKeys: String, CodingKey {
        case type, response
        case sequenceNumber = "sequence_number"
    }
}
