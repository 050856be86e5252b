// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking

/// Echoes whatever the Autobahn fuzzing server sends, case by case, and asks it for its report at the end.
@main
struct Main {
    static func main() async throws {
        guard CommandLine.arguments.count == 2, let base = URL(string: CommandLine.arguments[1]) else {
            print("usage: websocket-conformance ws://127.0.0.1:PORT")
            return
        }
        var transport = CurlTransport.Configuration()
        transport.plainHTTPHosts = [base.host() ?? ""]
        transport.proxy = .none
        let client = try Client(base: base, transport: CurlTransport(configuration: transport))
        let count = try await client.caseCount()
        for number in 1...count {
            if number % 25 == 0 { print("case \(number) of \(count)") }
            await client.run(case: number)
        }
        try await client.updateReports()
        print("\(count) cases run")
    }
}
