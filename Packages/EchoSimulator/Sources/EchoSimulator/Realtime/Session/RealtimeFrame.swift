// SPDX-License-Identifier: MIT

import StructuredJSON

/// A frame for the client, or an action on its connection.
enum RealtimeFrame: Sendable, Hashable {
    case text(String)
    case binary([UInt8])
    /// The closing handshake; 1005 is a close frame without a code.
    case close(Int, String)
    /// The connection breaks.
    case cut
    case wait(Duration)
    /// Nothing more until the client closes the connection.
    case stall

    /// The end of a session. No close frame can have 1006 and 1015.
    init(closing code: Int, _ reason: String) {
        self = code == 1006 || code == 1015 ? .cut : .close(code, reason)
    }
}

/// The faults of a turn, which count its events.
struct RealtimeFaults: Sendable {
    /// A fault's effect on the session itself.
    enum Effect: Sendable, Hashable {
        case expire
        case cancel
    }

    private let faults: [Scenario.Fault]
    private var count = 0

    init(_ faults: [Scenario.Fault]) { self.faults = faults }

    /// The frames before the next event.
    var before: [RealtimeFrame] {
        faults.compactMap { fault in
            switch fault {
            case .unknownEvent(atEvent: count, let event): .text(event.text)
            case .binary(atEvent: count, let bytes): .binary((0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 37) })
            default: nil
            }
        }
    }

    /// The text of the next event: its own, or a fault's.
    func changed(_ text: String) -> String {
        for case .malformed(atEvent: count, let data) in faults { return data }
        return text
    }

    var doublesNext: Bool { faults.contains(.duplicate(atEvent: count)) }

    /// The frames and effects after the events so far. Read once at the beginning and once after each event.
    var after: (frames: [RealtimeFrame], effects: [Effect]) {
        var (frames, effects): ([RealtimeFrame], [Effect]) = ([], [])
        for fault in faults {
            switch fault {
            case .stall(afterEvents: count, let time): frames.append(time.map(RealtimeFrame.wait) ?? .stall)
            case .cut(afterEvents: count): frames.append(.cut)
            case .end(afterEvents: count): frames.append(.close(1000, ""))
            case .close(afterEvents: count, let code, let reason): frames.append(.init(closing: code, reason))
            case .expire(afterEvents: count): effects.append(.expire)
            case .cancel(afterEvents: count): effects.append(.cancel)
            default: break
            }
        }
        return (frames, effects)
    }

    mutating func next() { count += 1 }
}
