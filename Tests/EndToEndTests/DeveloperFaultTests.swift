// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// The switches of `parley dashboard --developer` in a program that the page did not start.
@Suite(.timeLimit(.minutes(10))) struct DeveloperFaultTests {
    /// The page's socket, in a process of its own, since programs do not wait long for it. It says what it is told.
    private static let page = """
        import socket, sys
        server = socket.socket(socket.AF_UNIX)
        server.bind(sys.argv[1])
        server.listen(64)
        print("ready", flush=True)
        while True:
            peer = server.accept()[0]
            line = peer.makefile("r").readline()
            if '"request"' in line:
                print(line, end="", flush=True)
            else:
                peer.sendall(b'{"network":"offline","flags":{}}\\n')
            peer.close()
        """

    @Test func `a running service loses its network, says so, and its requests are told`() async throws {
        let relay = try RelayedDevices()
        let device = try ParleyProcess()
        try await relay.signIn(device)
        try await relay.run(device, "sync", "setup", "--server", "--name", "desk", "--store", "file")

        let page = try ChildProcess("python3", ["-c", Self.page, device.path("home/data/developer.sock")])
        try #require(await page.says("ready"))
        let service = try device.start(["service", "--json"], environment: ["PARLEY_SERVER": relay.address])
        // The server is there; the reason is that of the switch, or of the circuit breaker after enough of them.
        #expect(await service.says(#""syncWaits""#))
        let told = await page.detached { $0.line() } ?? ""
        #expect(told.contains(#""program":"service""#) && !told.contains(#""status""#), "\(told)")
        service.kill(SIGTERM)
        _ = await service.finished()
        page.kill(SIGKILL)
    }
}
