// SPDX-License-Identifier: MIT

import HTTPServer
import Networking

/// Sends answers with a turn's pace and faults, and notes their outcome.
struct Delivery: Sendable {
    let exchange: Exchange
    let pace: Scenario.Pace
    let faults: [Scenario.Fault]
    let clock: any Clock<Duration>

    /// A stream of events.
    ///
    /// - Parameter isOver: Asked before each event; a stream that is over ends properly.
    func stream(
        _ frames: [Frame], headers: HTTPHeaders, isOver: @escaping @Sendable () -> Bool = { false }
    ) async throws -> ServerResponse {
        try await waitFirst(isWhole: false)
        let plan = DeliveryPlan(frames, pace: pace, faults: faults)
        var headers = headers
        headers.add(name: "Content-Type", value: contentType ?? "text/event-stream; charset=utf-8")
        headers.add(name: "Cache-Control", value: "no-store")
        let (clock, exchange) = (clock, exchange)
        exchange.note(status: 200)
        return .stream(headers: headers) { writer in
            do {
                for step in plan.steps {
                    if isOver() { break }
                    switch step {
                    case .write(let bytes): try await writer.write(bytes)
                    case .wait(let time): try await clock.sleep(for: time)
                    case .stall: try await Self.waitForEver()
                    case .cut: throw StreamCut()
                    }
                }
                exchange.note(outcome: .answered)
            } catch {
                exchange.note(outcome: error is StreamCut ? .answered : .abandoned)
                throw error
            }
        }
    }

    /// A body that is sent as a whole.
    func whole(_ bytes: [UInt8], status: Int = 200, contentType: String = "application/json", headers: HTTPHeaders)
        async throws -> ServerResponse
    {
        try await waitFirst(isWhole: true)
        var headers = headers
        headers.add(name: "Content-Type", value: self.contentType ?? contentType)
        exchange.note(status: status)
        var body = ServerResponse.Body.bytes(bytes)
        for fault in faults {
            switch fault {
            case .malformed(_, let data): body = .bytes(Array(data.utf8))
            case .cutBytes(let count):
                body = .stream(length: bytes.count) { writer in
                    try await writer.write(Array(bytes.prefix(count)))
                    throw StreamCut()
                }
            default: break
            }
        }
        exchange.note(outcome: .answered)
        return ServerResponse(status: status, headers: headers, body: body)
    }

    private var contentType: String? {
        for case .contentType(let type) in faults { return type }
        return nil
    }

    private func waitFirst(isWhole: Bool) async throws {
        do {
            if pace.firstDelay > .zero { try await clock.sleep(for: pace.firstDelay) }
            // A body that is sent as a whole has no events to stall after.
            for case .stall(_, let time) in faults where isWhole {
                if let time { try await clock.sleep(for: time) } else { try await Self.waitForEver() }
            }
        } catch {
            exchange.note(outcome: .abandoned)
            throw error
        }
    }

    /// Returns when the task is cancelled.
    private static func waitForEver() async throws {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        try Task.checkCancellation()
    }
}
