// SPDX-License-Identifier: MIT

public import Domain
import Synchronization
import TestKit

/// Ears in rooms. Each sends a report soon after it has begun to hear, whatever is said.
public struct RoomListenerSubject: Sendable {
    /// A listener in a room that is silent until `say` is called.
    public struct Room: Sendable {
        let listener: any RoomListener
        let say: @Sendable (String) async throws -> Void

        /// A room; `say` returns when the words have begun, or will begin at once.
        public init(listener: any RoomListener, say: @escaping @Sendable (String) async throws -> Void) {
            self.listener = listener
            self.say = say
        }
    }

    let questions: [String]
    let room: @Sendable () async throws -> Room
    let ending: @Sendable () async throws -> any RoomListener
    let failing: Failing<any RoomListener>

    /// A subject.
    ///
    /// - Parameters:
    ///   - questions: Two questions that the listener must understand.
    ///   - room: Makes a room.
    ///   - ending: Makes a listener that hears a moment of silence, and then the end of the sound.
    ///   - failing: Ears that fail with `device`, `file` or `speechEngine`.
    public init(
        questions: [String], room: @escaping @Sendable () async throws -> Room,
        ending: @escaping @Sendable () async throws -> any RoomListener, failing: Failing<any RoomListener>
    ) {
        self.questions = questions
        self.room = room
        self.ending = ending
        self.failing = failing
    }
}

/// The reports of a listener while it hears; positions that decrease break the contract.
private struct Hearing {
    private let task: Task<Void, any Error>
    private var reports: AsyncStream<ListenerReport>.Iterator
    private(set) var position = Duration.zero

    /// Begins to hear, and returns with the first report: from then on the listener can be opened.
    init(_ listener: any RoomListener) async throws {
        let (stream, entry) = AsyncStream<ListenerReport>.makeStream()
        reports = stream.makeAsyncIterator()
        task = Task {
            defer { entry.finish() }
            try await listener.listen { entry.yield($0) }
        }
        _ = try await next()
    }

    /// The next report; nil when the listener has ended.
    mutating func next() async throws -> ListenerReport? {
        guard let heard = await reports.next() else { return nil }
        try require(heard.position >= position, "from \(position) back to \(heard.position)")
        position = heard.position
        return heard
    }

    /// The reports up to and including the first event that matches.
    mutating func until(_ matches: (ListenerReport.Event) -> Bool) async throws -> [ListenerReport.Event] {
        var events: [ListenerReport.Event] = []
        while let heard = try await next() {
            events.append(heard.event)
            if matches(heard.event) { return events }
        }
        try await task.value
        throw BrokenContract(description: "the listener ended after \(events)")
    }

    /// The reports until `time` more of the sound was heard.
    mutating func events(for time: Duration) async throws -> [ListenerReport.Event] {
        let end = position + time
        var events: [ListenerReport.Event] = []
        while position < end, let heard = try await next() { events.append(heard.event) }
        return events
    }

    /// Cancels the listener, which must end by that.
    func cancel() async throws {
        task.cancel()
        try await requireCancellationError { try await task.value }
    }

    /// Returns when the listener has ended.
    func end() async throws { try await task.value }
}

extension ListenerReport.Event {
    fileprivate var isSpeech: Bool { if case .speechBegan = self { true } else { false } }
    fileprivate var words: String? { if case .question(let transcript) = self { transcript.text } else { nil } }
}

/// The contract of `RoomListener`.
public enum RoomListenerContract {
    /// A time longer than any of the questions and the pause after it.
    private static let questionTime = Duration.seconds(5)

    /// Every promise.
    public static let checks: [ContractCheck<RoomListenerSubject>] = [
        .init("an open listener reports the beginning of speech, then the question") { subject in
            let room = try await subject.room()
            var hearing = try await Hearing(room.listener)
            await room.listener.open()
            try await room.say(subject.questions[0])
            let events = try await hearing.until { $0.words != nil }
            try require(events.contains(where: \.isSpeech), "a question without a beginning")
            try require(events.last?.words == subject.questions[0], "heard as \(events.last?.words ?? "nothing")")
            try await hearing.cancel()
        },
        .init("a listener begins closed, and takes only what is said while it is open") { subject in
            let room = try await subject.room()
            var hearing = try await Hearing(room.listener)
            try await room.say(subject.questions[0])
            _ = try await hearing.until(\.isSpeech)
            let before = try await hearing.events(for: questionTime)
            try require(before.allSatisfy { $0.words == nil }, "a question through a closed listener")
            await room.listener.open()
            try await room.say(subject.questions[1])
            let events = try await hearing.until { $0.words != nil }
            try require(events.last?.words == subject.questions[1], "heard as \(events.last?.words ?? "nothing")")
            try await hearing.cancel()
        },
        .init("a listener that was closed again takes no question") { subject in
            let room = try await subject.room()
            var hearing = try await Hearing(room.listener)
            await room.listener.open()
            await room.listener.close()
            try await room.say(subject.questions[0])
            _ = try await hearing.until(\.isSpeech)
            let events = try await hearing.events(for: questionTime)
            try require(events.allSatisfy { $0.words == nil }, "a question after it was closed")
            try await hearing.cancel()
        },
        .init("hearing ends with the sound") { subject in
            var hearing = try await Hearing(subject.ending())
            while try await hearing.next() != nil {}
            try await hearing.end()
        },
        .init("hearing again starts anew, from position zero and closed") { subject in
            let room = try await subject.room()
            var first = try await Hearing(room.listener)
            await room.listener.open()
            try await room.say(subject.questions[0])
            while first.position < .seconds(3), try await first.next() != nil {}
            try await first.cancel()
            try await room.say(subject.questions[1])
            var second = try await Hearing(room.listener)
            try require(second.position < .seconds(3), "it begins at \(second.position)")
            let events = try await second.events(for: questionTime * 2)
            try require(events.allSatisfy { $0.words == nil }, "open from the beginning")
            try await second.cancel()
        },
        .init("opening and closing at the same time does no harm") { subject in
            let room = try await subject.room()
            var hearing = try await Hearing(room.listener)
            try await concurrently(12) { number in
                await disturbOrder(number % 3)
                if number.isMultiple(of: 2) { await room.listener.open() } else { await room.listener.close() }
            }
            await room.listener.open()
            try await room.say(subject.questions[0])
            let events = try await hearing.until { $0.words != nil }
            try require(events.last?.words == subject.questions[0], "heard as \(events.last?.words ?? "nothing")")
            try await hearing.cancel()
        },
        .init("a failure is a documented error") { subject in
            try await requireErrors(of: subject.failing, documented: ["device", "file", "speechEngine"]) {
                try await $0.listen { _ in }
            }
        },
    ]
}

/// Players of short tones that work, and those that fail.
public struct EarconPlayerSubject: Sendable {
    let player: @Sendable (_ onSound: @escaping @Sendable () -> Void) async throws -> any EarconPlayer
    let failing: Failing<any EarconPlayer>

    /// A subject.
    ///
    /// - Parameters:
    ///   - player: Makes a player that calls `onSound` at least once for each tone, while more of the tone is to come.
    ///   - failing: Players that fail with `device` or `file`.
    public init(
        player: @escaping @Sendable (_ onSound: @escaping @Sendable () -> Void) async throws -> any EarconPlayer,
        failing: Failing<any EarconPlayer>
    ) {
        self.player = player
        self.failing = failing
    }
}

/// The contract of `EarconPlayer`.
public enum EarconPlayerContract {
    /// Every promise.
    public static let checks: [ContractCheck<EarconPlayerSubject>] = [
        .init("each tone is heard before its call returns") { subject in
            let count = Counter()
            let player = try await subject.player { count.add() }
            for earcon in VoiceLoop.Earcon.allCases {
                let before = count.value
                try await player.play(earcon)
                try require(count.value > before, "\(earcon) was not heard")
            }
        },
        .init("cancellation cuts a tone off") { subject in
            let fuse = Fuse()
            let player = try await subject.player { fuse.blow() }
            // A tone of no length could be over before the fuse knows its task.
            let (isArmed, armed) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for await _ in isArmed {}
                try await player.play(.asleep)
            }
            fuse.guards(task)
            armed.finish()
            try await requireCancellationError { try await task.value }
        },
        .init("a cancelled call says so") { subject in
            let player = try await subject.player {}
            try await requireCancelled { try await player.play(.listening) }
        },
        .init("a failure is a documented error") { subject in
            try await requireErrors(of: subject.failing, documented: ["device", "file"]) {
                try await $0.play(.notUnderstood)
            }
        },
    ]

    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    /// Cancels a task at the first sound, on the thread that plays it, so that no further sound is played before.
    private final class Fuse: Sendable {
        private let task = Mutex<Task<Void, any Error>?>(nil)

        func guards(_ task: Task<Void, any Error>) { self.task.withLock { $0 = task } }

        func blow() { task.withLock { $0 }?.cancel() }
    }
}
