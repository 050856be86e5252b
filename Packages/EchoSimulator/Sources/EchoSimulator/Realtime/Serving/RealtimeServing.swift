// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Networking
import StructuredJSON

/// One session over its connection.
struct RealtimeServing: Sendable {
    let core: SimulatorCore
    let exchange: Exchange
    let setup: RealtimeSessionState.Setup

    /// Returns when the session is over.
    func serve(_ connection: WebSocketConnection) async {
        let mind = RealtimeMind(configuration: core.configuration)
        let peer = RealtimePeer(setup, mind: mind, clock: core.configuration.clock)
        core.sessions.withLock { $0.append(peer) }
        var isOurs = false
        await withDiscardingTaskGroup { group in
            group.addTask { await read(connection, for: peer) }
            while let work = await peer.next() {
                switch work {
                case .frame(let frame): isOurs = await send(frame, over: connection)
                case .job(let job): group.addTask { await Self.run(job, mind, peer) }
                case .timer(let time):
                    group.addTask {
                        await peer.sleep(until: time)
                        await peer.wake()
                    }
                }
                if isOurs { break }
            }
            group.cancelAll()
        }
        exchange.note(outcome: isOurs ? .answered : .abandoned)
        core.sessions.withLock { $0.removeAll { $0 === peer } }
    }

    /// - Returns: True if that was the last frame.
    private func send(_ frame: RealtimeFrame, over connection: WebSocketConnection) async -> Bool {
        switch frame {
        case .text(let text): try? await connection.send(text)
        case .binary(let bytes): try? await connection.send(bytes)
        case .wait, .stall: break
        case .cut:
            await connection.cut()
            return true
        case .close(let code, let reason):
            await connection.close(WebSocketCloseCode(rawValue: UInt16(clamping: code)), reason: reason)
            return true
        }
        return false
    }

    private func read(_ connection: WebSocketConnection, for peer: RealtimePeer) async {
        while let message = try? await connection.receive() {
            switch message {
            case .text(let text):
                note(text)
                await peer.receive(text)
            case .binary: await peer.receiveBinary()
            }
        }
        await peer.end()
    }

    /// Keeps the client's events for tests and records; sound would be too much, so only its length stays.
    private func note(_ text: String) {
        guard !text.hasPrefix(#"{"type":"input_audio_buffer.append""#) else {
            return exchange.note(appended: text.utf8.count)
        }
        guard var json = try? JSONValue(parsing: text) else { return }
        if json["type"] == "input_audio_buffer.append" { return exchange.note(appended: text.utf8.count) }
        exchange.note(event: json, size: text.utf8.count)
        json = ["method": "GET", "path": .string(exchange.path), "body": json]
        core.configuration.onRequest?(json.text)
    }

    private static func run(_ job: RealtimeSessionState.Job, _ mind: RealtimeMind, _ peer: RealtimePeer) async {
        switch job {
        case .hear(let item, let sound): await peer.heard(item, mind.hear(sound))
        case .answer(let answer, let ask): await peer.compose(answer, mind.script(ask))
        }
    }
}
