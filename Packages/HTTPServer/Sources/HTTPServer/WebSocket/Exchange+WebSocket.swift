// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Concurrency
import Glibc
import Networking

extension Exchange {
    /// On the library's thread: the handshake's answer has been sent, and the socket belongs to this module.
    func upgraded(socket: Int32, handle: UpgradedSocket.Handle, firstBytes: [UInt8]) {
        // The library switches it off; with TLS the socket to set is not the one that the library passes.
        ListeningSocket.sendAtOnce(connection.socket)
        connection.clearDeadline()
        connection.end(self)
        let upgraded = UpgradedSocket(
            socket: socket, handle: handle, firstBytes: firstBytes, connection: connection, watch: core.watch)
        if !upgrade.resolve(upgraded) { upgraded.close() }
    }

    /// In the handler's task: serves the WebSocket until it ends.
    func serve(_ webSocket: WebSocketUpgrade) async {
        guard let socket = await upgrade.value() else { return }
        let connection = WebSocketConnection(
            stream: socket, role: .server, subprotocol: webSocket.subprotocol, configuration: webSocket.configuration)
        await connection.start(after: socket.firstBytes)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [upgrade] in
                await upgrade.stopping()
                guard !Task.isCancelled else { return }
                await connection.close(.goingAway, reason: "The server stops.")
            }
            await webSocket.serve(connection)
            group.cancelAll()
        }
        await connection.close()
        socket.close()
    }
}
