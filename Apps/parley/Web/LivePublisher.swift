// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import FoundationEssentials
import Glibc
import Localization
import TerminalKit

/// Tells other programs of this person what this one does while it runs, and takes what they ask for: a socket in a folder for its owner
/// alone. Each line is an event in JSON, the first one the present state; each line that comes is a ``RoomControl``.
final class LivePublisher: Sendable {
    private struct State {
        var hello: Hello
        var readers: [Int: AsyncStream<String>.Continuation] = [:]
        var next = 0
    }

    /// The first line for a reader.
    private struct Hello: Encodable {
        let event = "hello"
        let from: String
        let pid: Int32
        var state: String?
        var isMuted = false
        private enum CodingKeys: String, CodingKey { case event, from, pid, state, isMuted }
    }

    private static let queueLimit = 512

    /// The controls that readers ask for.
    let controls: AsyncStream<RoomControl>
    private let asked: AsyncStream<RoomControl>.Continuation
    private let socket: ListeningSocket
    private let state: Guarded<State>
    /// The members that each event gets.
    private let origin: String
    private let translator: Translator

    /// Opens the socket.
    ///
    /// - Parameters:
    ///   - name: The command, such as `listen`.
    ///   - translator: The language of errors beside English.
    /// - Throws: `DomainError.file`.
    init(_ name: String, in folder: String, for translator: Translator = .english) throws {
        self.translator = translator
        try OwnSocket.make(folder)
        socket = try OwnSocket.listen(at: "\(folder)/\(name)-\(getpid()).sock")
        origin = #""from":"\#(name)","pid":\#(getpid())"#
        state = Guarded(State(hello: Hello(from: name, pid: getpid())))
        (controls, asked) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    }

    /// Sends an event, an object in JSON, to all readers; never waits. A reader that is slow loses passing events, and is cut off when
    /// it loses another one.
    func send(_ object: String, isPassing: Bool = false) {
        let line = "{" + origin + (object == "{}" ? "" : ",") + object.dropFirst()
        state.withLock { state in
            for (key, reader) in state.readers {
                if case .dropped = reader.yield(line), !isPassing {
                    reader.finish()
                    state.readers[key] = nil
                }
            }
        }
    }

    /// Sends an event.
    func send(_ event: some Encodable, isPassing: Bool = false) {
        guard let data = try? JSONEncoder(for: translator).encode(event) else { return }
        send(String(decoding: data, as: UTF8.self), isPassing: isPassing)
    }

    /// Changes the state that new readers get first.
    func note(state phase: String? = nil, isMuted: Bool? = nil) {
        state.withLock { state in
            if let phase { state.hello.state = phase }
            if let isMuted { state.hello.isMuted = isMuted }
        }
    }

    /// Closes the socket of a publisher that never runs.
    func close() { socket.close() }

    /// Serves readers until the task is cancelled, and closes the socket.
    func run() async throws { try await SocketServer(socket).run { [self] in await serve($0) } }

    private func serve(_ stream: SocketStream) async {
        let (lines, reader) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingOldest(Self.queueLimit))
        let key = state.withLock { state in
            if let hello = try? JSONEncoder().encode(state.hello) {
                reader.yield(String(decoding: hello, as: UTF8.self))
            }
            state.next += 1
            state.readers[state.next] = reader
            return state.next
        }
        defer { state.withLock { $0.readers[key] = nil } }
        await withTaskGroup { group in
            group.addTask {
                for await line in lines {
                    do { try await stream.write(Array((line + "\n").utf8)) } catch { return }
                }
            }
            group.addTask { [asked] in
                struct Asked: Decodable { let `do`: String }
                for await line in stream.lines(limit: 1_024) {
                    let word = try? JSONDecoder().decode(Asked.self, from: Data(line)).do
                    if let control = word.flatMap(RoomControl.init) { asked.yield(control) }
                }
            }
            await group.next()
            reader.finish()
            group.cancelAll()
        }
    }
}

extension SocketStream {
    /// The lines that the peer sends, without their ends, until it ends, or sends a line that is longer than the limit.
    func lines(limit: Int) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            let task = Task { [self] in
                var rest: [UInt8] = []
                while let bytes = try? await read(), !bytes.isEmpty {
                    var new = bytes[...]
                    while let end = new.firstIndex(of: UInt8(ascii: "\n")) {
                        continuation.yield(rest + new[..<end])
                        (rest, new) = ([], new[(end + 1)...])
                    }
                    rest += new
                    if rest.count > limit { break }
                }
                if !rest.isEmpty, rest.count <= limit { continuation.yield(rest) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension AppPaths {
    /// The folder of the sockets of programs that tell what they do; all its files are sockets.
    var live: String { data + "/live" }
}
