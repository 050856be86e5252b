// SPDX-License-Identifier: MIT

public import StructuredJSON

extension Scenario {
    /// A rule of a `/v1/realtime` session: when the client sends this, the service says that. It scripts what no other
    /// value of a scenario describes.
    public struct Cue: Sendable, Hashable {
        /// The pattern of the client's event, as in ``Match/body``.
        public var event: JSONValue
        /// The service's events, in order; `event_id` is added.
        public var says: [JSONValue]
        /// The wait after the client's event.
        public var delay: Duration
        /// The number of events that the rule is for; `Int.max` for any number.
        public var times: Int
        /// True if the service does nothing else with the client's event.
        public var replaces: Bool

        /// A rule; by default for one event, whose own effect it replaces.
        public init(
            when event: JSONValue, say says: [JSONValue] = [], after delay: Duration = .zero, times: Int = 1,
            replaces: Bool = true
        ) {
            self.event = event
            self.says = says
            self.delay = delay
            self.times = times
            self.replaces = replaces
        }
    }
}

extension Scenario.Cue {
    init(_ reader: ScenarioReader) throws(ScenarioError) {
        try reader.check("when", "say", "after_ms", "times", "replaces")
        self.init(
            when: try reader.required("when").value,
            say: try reader.member("say")?.elements().map(\.value) ?? [],
            after: try reader.member("after_ms")?.milliseconds() ?? .zero,
            times: try reader.member("times").map(Scenario.times) ?? 1,
            replaces: try reader.member("replaces")?.boolean() ?? true)
    }
}

/// The rules of a session that are not used up, and the events that they have made due.
struct RealtimeCues: Sendable {
    private var cues: [Scenario.Cue]
    private var pending: [(due: Duration, event: JSONValue)] = []

    init(_ cues: [Scenario.Cue]) { self.cues = cues }

    var deadline: Duration? { pending.map(\.due).min() }

    /// Uses up the first rule for a client's event.
    ///
    /// - Returns: True if the service does nothing else with the event.
    mutating func take(_ event: JSONValue, at now: Duration) -> Bool {
        guard let place = cues.firstIndex(where: { Scenario.Match.mismatch($0.event, event, at: "") == nil }) else {
            return false
        }
        let cue = cues[place]
        if cue.times == 1 { cues.remove(at: place) } else if cue.times != .max { cues[place].times -= 1 }
        pending += cue.says.map { (now + cue.delay, $0) }
        return cue.replaces
    }

    /// Removes and returns the events that are due.
    mutating func takeDue(at now: Duration) -> [JSONValue] {
        guard let deadline, deadline <= now else { return [] }
        let due = pending.filter { $0.due <= now }
        pending.removeAll { $0.due <= now }
        return due.map(\.event)
    }
}
