// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking

/// A client of the fuzzing server.
struct Client {
    let base: URL
    let transport: CurlTransport
    private let agent = "Parley"

    private func open(_ path: String) async throws -> WebSocketConnection {
        guard let url = URL(string: base.absoluteString + path) else { throw CancellationError() }
        var configuration = WebSocketConfiguration()
        configuration.maximumMessageSize = 32 << 20
        configuration.pingInterval = nil
        return try await WebSocketConnection.open(
            WebSocketRequest(url), over: transport, configuration: configuration)
    }

    func caseCount() async throws -> Int {
        let connection = try await open("/getCaseCount")
        let message = try await connection.receive()
        await connection.close()
        guard case .text(let text)? = message, let count = Int(text) else { return 0 }
        return count
    }

    func run(case number: Int) async {
        do {
            let connection = try await open("/runCase?case=\(number)&agent=\(agent)")
            // Most cases end in a violation; the server's report says whether it was the right one.
            while let message = try? await connection.receive() { try? await connection.send(message) }
            await connection.close()
        } catch {
            print("case \(number): \(error)")
        }
    }

    func updateReports() async throws {
        let connection = try await open("/updateReports?agent=\(agent)")
        while try await connection.receive() != nil {}
    }
}
