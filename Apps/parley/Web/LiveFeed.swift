// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import FoundationEssentials
import Glibc
import LocalPage

/// The present of this person's programs, for the page: reads the sockets of all ``LivePublisher``s, and watches the waiting questions for consent
/// and the files that change.
actor LiveFeed {
    /// A program that runs.
    private struct Program: Encodable {
        let from: String
        let pid: Int32
        var state: String?
        var isMuted = false
    }

    /// The members of events that the feed itself needs.
    private struct Line: Decodable {
        let event: String
        let from: String?
        let pid: Int32?
        let state: String?
        let isMuted: Bool?

        private enum CodingKeys: String, CodingKey { case event, from, pid, state, isMuted }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            event = try container.decode(String.self, forKey: .event)
            from = try? container.decode(String.self, forKey: .from)
            pid = try? container.decode(Int32.self, forKey: .pid)
            // An answer about one of the states has an object here.
            state = event == "hello" || event == "state" ? try? container.decode(String.self, forKey: .state) : nil
            isMuted = try? container.decode(Bool.self, forKey: .isMuted)
        }
    }

    private static let lineLimit = 32 << 20
    private let hub: EventHub
    private let paths: AppPaths
    private let loop: SocketLoop
    private var connected: [String: SocketStream] = [:]
    private let followers = OwnedTasks()
    private let programs = Guarded<[String: Program]>([:])

    /// - Throws: `SocketError` if the system has no thread for it.
    init(_ hub: EventHub, paths: AppPaths) throws(SocketError) {
        (self.hub, self.paths) = (hub, paths)
        loop = try SocketLoop(name: "live")
    }

    deinit { loop.close() }

    /// The programs and the newest events, in JSON.
    nonisolated func snapshot(_ recent: [String]) -> String {
        let programs = programs.withLock { $0.values.sorted { $0.pid < $1.pid } }
        let known = (try? JSONEncoder().encode(programs)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
        return #"{"programs":\#(known),"events":[\#(recent.joined(separator: ","))]}"#
    }

    /// Feeds the hub until the task is cancelled.
    func run() async throws {
        for folder in [paths.live, paths.pendingConsents] { try OwnSocket.make(folder) }
        let sockets = FolderChanges([paths.live, paths.pendingConsents], for: [.created, .movedIn, .removed])
        // A program that only reads a database makes and removes files, and writes none.
        let files = FolderChanges([paths.data, paths.configuration], for: [.written, .movedIn])
        connectAll()
        await withTaskGroup { group in
            group.addTask {
                for await _ in sockets.names {
                    await self.connectAll()
                    self.hub.send(#"{"event":"consents"}"#)
                }
            }
            group.addTask {
                for await names in files.names {
                    for what in Set(names.compactMap(Self.kind)).sorted() {
                        self.hub.send(#"{"event":"changed","what":"\#(what)"}"#)
                    }
                }
            }
            await withTaskCancellationHandler {
                await group.waitForAll()
            } onCancel: {
                sockets.close()
                files.close()
            }
        }
        await followers.close()
    }

    /// Passes a control to a program; false if it has gone.
    func send(_ control: RoomControl, to pid: Int32) async -> Bool {
        let path = programs.withLock { $0.first { $0.value.pid == pid }?.key }
        guard let path, let stream = connected[path] else { return false }
        do { try await stream.write(Array((#"{"do":"\#(control.rawValue)"}"# + "\n").utf8)) } catch { return false }
        return true
    }

    private func connectAll() {
        for path in OwnSocket.paths(in: paths.live) where connected[path] == nil {
            guard let descriptor = try? OwnSocket.connect(to: path) else { continue }
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            let stream = SocketStream(descriptor, loop: loop)
            connected[path] = stream
            followers.add { await self.follow(stream, path) }
        }
    }

    private func follow(_ stream: SocketStream, _ path: String) async {
        for await line in stream.lines(limit: Self.lineLimit) {
            guard let known = try? JSONDecoder().decode(Line.self, from: Data(line)) else { continue }
            let program = programs.withLock { programs in
                if known.event == "hello", let from = known.from, let pid = known.pid {
                    programs[path] = Program(from: from, pid: pid)
                }
                if let state = known.state { programs[path]?.state = state }
                if let isMuted = known.isMuted { programs[path]?.isMuted = isMuted }
                return programs[path]
            }
            if known.event == "hello", let program {
                tell("started", program)
            } else {
                hub.send(
                    String(decoding: line, as: UTF8.self), isPassing: known.event == "level" || known.event == "words")
            }
        }
        connected.removeValue(forKey: path)?.close()
        if let program = programs.withLock({ $0.removeValue(forKey: path) }) { tell("ended", program) }
    }

    private func tell(_ event: String, _ program: Program) {
        let state = program.state.map { #","state":"\#($0)","isMuted":\#(program.isMuted)"# } ?? ""
        hub.send(#"{"event":"\#(event)","from":"\#(program.from)","pid":\#(program.pid)\#(state)}"#)
    }

    /// The kind of data that a file has; nil for others.
    private static func kind(_ name: String) -> String? {
        if name.hasSuffix(".json") { return "settings" }
        return ["alarms", "answers", "conversations", "practice", "settings", "sync"].first {
            name == "\($0).sqlite" || name == "\($0).sqlite-wal"
        }
    }
}

/// The names in folders that change: inotify(7), on a thread of its own. Changes within a quarter of a second come together.
private struct FolderChanges: Sendable {
    let names: AsyncStream<[String]>
    private let end = WakePipe()

    init(_ folders: [String], for changes: FileWatch.Changes) {
        let (names, continuation) = AsyncStream<[String]>.makeStream(bufferingPolicy: .bufferingNewest(64))
        self.names = names
        let watch = FileWatch(folders, for: changes)
        let isRunning = DetachedThread.start(name: "changes") { [end] in
            while end.wait(for: watch.descriptor) == .ready {
                let names = watch.events().map { String(decoding: $0.name, as: UTF8.self) }
                continuation.yield(names)
                if end.wait(for: -1, timeout: 250) == .woken { break }
            }
            continuation.finish()
        }
        if !isRunning { continuation.finish() }
    }

    func close() { end.wake() }
}
