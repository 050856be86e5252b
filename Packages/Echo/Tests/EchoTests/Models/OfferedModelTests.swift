// SPDX-License-Identifier: MIT

import HTTPServer
import Networking
import Testing

@testable import EchoText

@Suite struct OfferedModelTests {
    @Test func `the list is sorted, and each model is there once`() async throws {
        let server = try await ResponsesServer { _, _ in
            ResponsesServer.json([
                "data": [["id": "b"], ["id": "a", "owned_by": "library"], ["id": "b", "owned_by": "x"]]
            ])
        }
        let echo = Echo(key: "sk-x", configuration: server.configuration())
        #expect(try await echo.models() == [OfferedModel(id: "a", owner: "library"), OfferedModel(id: "b")])
        let asked = server.requests
        #expect(asked.map(\.path) == ["/v1/models"] && asked.first?.method == .get)
        #expect(asked.first?.headers["Authorization"] == "Bearer sk-x")
        await echo.close()
        await server.stop()
    }

    @Test(arguments: ["[]", "{}", #"{"data":{}}"#, #"{"data":[{}]}"#, #"{"data":[{"id":1}]}"#, #"{"data":["a"]}"#])
    func `what is no list is an error`(_ text: String) throws {
        let json = try JSONValue(parsing: text)
        #expect(throws: WireError.self) { try OfferedModel.list(json: json) }
    }
}
