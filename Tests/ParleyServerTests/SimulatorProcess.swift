// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit

/// `parley-server simulate-openai` on a port of its own.
final class SimulatorProcess {
    /// The base URL that it prints.
    let address: String
    private let process: ChildProcess
    private static let executable = ChildProcess.path(besideTests: "parley-server")

    /// Starts it and waits for its first line.
    init(_ arguments: [String]) throws {
        process = try ChildProcess(Self.executable, ["simulate-openai", "--port", "0"] + arguments)
        address = (process.line() ?? "").replacing("listening at ", with: "")
    }

    var port: Int { URL(string: address)?.port ?? 0 }

    /// Ends it by a signal, and gives its exit code.
    func stop(_ signal: Int32) -> Int32 {
        process.kill(signal)
        return process.wait().code
    }

    func post(_ path: String, _ body: String) async throws -> String {
        guard let url = URL(string: address + path) else { throw URLError(.badURL) }
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        let transport = try CurlTransport(configuration: configuration)
        var request = HTTPRequest(.post, url)
        request.headers.add(name: "Authorization", value: "Bearer test")
        request.body = .bytes(Array(body.utf8))
        var bytes: [UInt8] = []
        for try await chunk in try await transport.send(request).body { bytes += chunk }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Runs it to its end.
    static func run(_ arguments: [String]) throws -> ChildProcess.Result {
        try ChildProcess(executable, ["simulate-openai"] + arguments, errors: .captured).finish()
    }
}
