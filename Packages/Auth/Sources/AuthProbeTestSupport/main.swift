// SPDX-License-Identifier: MIT

import Auth
import Diagnostics
import FoundationEssentials
import Glibc
import Networking
import Security

// A program that shares its session with others, for the tests: it renews the token COUNT times, or stops before it
// stores the answer, to be killed. It prints one line a step.
//
// usage: AuthProbeTestSupport renew|stall SERVER SECRETS COUNT

let arguments = Array(CommandLine.arguments.dropFirst())

/// Writes a line at once, so that it is out when the process is killed.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}

/// Reports that a value is about to be stored, and never stores it.
struct StallingStore: SecretStore {
    let base: any SecretStore

    func set(_ value: Sensitive<[UInt8]>, for name: SecretName) async throws {
        say("storing")
        while true { pause() }
    }

    func value(for name: SecretName) async throws -> Sensitive<[UInt8]>? { try await base.value(for: name) }

    func delete(_ name: SecretName) async throws -> Bool { try await base.delete(name) }

    func names(service: String?) async throws -> [SecretName] { try await base.names(service: service) }
}

guard arguments.count == 4, let server = URL(string: arguments[1]), let count = Int(arguments[3]) else {
    say("usage")
    exit(2)
}
do {
    let file = try await FileSecretStore.open(arguments[2], protection: .keyFile(arguments[2] + ".key"))
    let store: any SecretStore = arguments[0] == "stall" ? StallingStore(base: file) : file
    var configuration = CurlTransport.Configuration()
    configuration.plainHTTPHosts = ["127.0.0.1"]
    let client = try GoTrueClient(baseURL: server, transport: CurlTransport(configuration: configuration))
    let controller = try SessionController(
        client: client, store: store, lock: SessionLock(path: arguments[2] + ".session-lock"))
    try await controller.start()
    for _ in 0..<count {
        guard let token = await controller.token() else { break }
        do {
            _ = try await controller.refresh(token)
            say("renewed")
        } catch {
            say("failed \(error)")
        }
    }
    say("\(await controller.state)")
    await controller.close()
} catch {
    say("failed \(error)")
    exit(1)
}
