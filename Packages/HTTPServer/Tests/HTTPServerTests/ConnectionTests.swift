// SPDX-License-Identifier: MIT

import HTTPServer
import Networking
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct ConnectionTests {
    private let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func connectionsOverTheLimitWait() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.maximumConnections = 2
        try await withServer(configuration, handler: { _ in .text("x") }) { server in
            let (first, second, third) = (try server.connect(), try server.connect(), try server.connect())
            try third.send(get)
            // The thread that answers is the one that accepts: after these it would have taken the third.
            for client in [first, second, first, second] {
                try client.send(get)
                #expect(try await client.readAnswer().status == 200)
            }
            #expect(server.server.metrics.acceptedConnections == 2)
            first.hangUp()
            #expect(try await third.readAnswer().status == 200)
        }
    }

    @Test func connectionsOfOneAddressAreLimited() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.maximumConnectionsPerAddress = 2
        try await withServer(configuration, handler: { _ in .text("x") }) { server in
            let clients = [try server.connect(), try server.connect()]
            for client in clients {
                try client.send(get)
                #expect(try await client.readAnswer().status == 200)
            }
            #expect(try await server.connect().readToEnd() == [])
            clients[0].hangUp()
            try await eventually { server.server.metrics.openConnections == 1 }
            #expect(try await server.answer(to: get).status == 200)
        }
    }

    @Test func oneSlowHandlerHoldsNobodyUp() async throws {
        let (begun, release) = (Signal(), Signal())
        try await withServer(
            handler: { request in
                if request.path == ["slow"] {
                    await begun.fire()
                    await release.wait()
                }
                return .text("\(request.path)")
            },
            body: { server in
                let slow = try server.connect()
                try slow.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n")
                await begun.wait()
                for _ in 0..<20 { #expect(try await server.answer(to: get).text == "[]") }
                await release.fire()
                // Both of one connection, in order.
                #expect(try await slow.readAnswer().text == "[\"slow\"]")
                #expect(try await slow.readAnswer().text == "[\"next\"]")
            })
    }

    @Test func manyAtOnceAllGetTheirOwnAnswer() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.threads = 2
        try await withServer(
            configuration,
            handler: { request in
                await disturbOrder()
                return .bytes(try await request.body.collect() + Array(request.path.joined().utf8))
            },
            body: { server in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for client in 0..<16 {
                        group.addTask {
                            let connection = try server.connect()
                            for index in 0..<20 {
                                let body = String(repeating: "b", count: index * 500)
                                try connection.send(
                                    "POST /\(client)-\(index) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                                )
                                #expect(try await connection.readAnswer().text == "\(body)\(client)-\(index)")
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            })
    }

    @Test func theHandlerMayCloseTheConnection() async throws {
        try await withServer(
            handler: { _ in ServerResponse(headers: ["Connection": "close"], body: .bytes([65])) },
            body: { server in
                let text = try await server.everything(to: get)
                #expect(text.lowercased().contains("\r\nconnection: close\r\n"))
                #expect(text.hasSuffix("\r\n\r\nA"))
            })
    }
}
