// SPDX-License-Identifier: MIT

import StructuredJSON

/// The steps that send a stream: events, pauses and faults in one order.
struct DeliveryPlan: Sendable {
    enum Step: Sendable, Hashable {
        case write([UInt8])
        case wait(Duration)
        /// Nothing until the client closes the connection.
        case stall
        /// The connection breaks.
        case cut
    }

    private(set) var steps: [Step] = []

    /// - Parameter faults: The turn's faults; those that do not concern streams are ignored.
    init(_ frames: [Frame], pace: Scenario.Pace = .init(), faults: [Scenario.Fault] = []) {
        var cutBytes = faults.compactMap { if case .cutBytes(let count) = $0 { count } else { nil } }.min()
        for place in 0...frames.count {
            for fault in faults {
                switch fault {
                case .cut(afterEvents: place):
                    steps.append(.cut)
                    return
                case .end(afterEvents: place): return
                case .stall(afterEvents: place, let time): steps.append(time.map(Step.wait) ?? .stall)
                case .unknownEvent(atEvent: place, let event): steps.append(.write(Frame(event: event).bytes))
                default: break
                }
            }
            guard place < frames.count else { return }
            if pace.delay > .zero { steps.append(.wait(pace.delay)) }
            for _ in 0..<(faults.contains(.duplicate(atEvent: place)) ? 2 : 1) {
                let bytes = Self.frame(frames[place], at: place, faults).bytes
                if let left = cutBytes, bytes.count >= left {
                    if left > 0 { steps.append(.write(Array(bytes.prefix(left)))) }
                    steps.append(.cut)
                    return
                }
                cutBytes = cutBytes.map { $0 - bytes.count }
                steps.append(.write(bytes))
            }
        }
    }

    private static func frame(_ frame: Frame, at place: Int, _ faults: [Scenario.Fault]) -> Frame {
        var frame = frame
        for fault in faults {
            if case .malformed(atEvent: place, let data) = fault { frame.data = data }
        }
        return frame
    }
}

/// One server-sent event as it is written.
struct Frame: Sendable, Hashable {
    var event: String?
    var data: String

    /// An event of `/v1/responses`, named after its type.
    init(event json: JSONValue) {
        event = json["type"]?.string
        data = json.text
    }

    /// A chunk of `/v1/chat/completions`, which has no name.
    init(data: String) { self.data = data }

    var bytes: [UInt8] { Array((event.map { "event: \($0)\n" } ?? "").utf8) + Array("data: \(data)\n\n".utf8) }
}

/// Thrown inside a body to make the server cut the connection, as a scenario asks.
struct StreamCut: Error {}

/// Cuts a text into the pieces that a stream has.
enum TextChunks {
    /// Pieces of `size` characters; without a size, words, each with the white space before it.
    static func split(_ text: String, size: Int?) -> [String] {
        var pieces: [String] = []
        var piece = ""
        var hasWord = false
        var count = 0
        for character in text {
            let isEnd = size.map { count >= $0 } ?? (hasWord && character.isWhitespace)
            if isEnd, !piece.isEmpty {
                pieces.append(piece)
                (piece, hasWord, count) = ("", false, 0)
            }
            piece.append(character)
            count += 1
            hasWord = hasWord || !character.isWhitespace
        }
        return piece.isEmpty ? pieces : pieces + [piece]
    }
}
