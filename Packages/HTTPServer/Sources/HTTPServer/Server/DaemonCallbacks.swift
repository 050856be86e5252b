// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Glibc

/// The functions that libmicrohttpd calls, on its own threads. The contexts are the daemon's thread for connections,
/// the server's core for targets, the connection for the socket and the exchange for the request; each is retained
/// while the library has it.
enum DaemonCallbacks {
    // SAFETY of this file: every context comes from `passRetained` in this module, has the type that it is cast to, and
    // is released by the one callback that the library makes last for it.

    /// Accepts or refuses a connection from an address.
    static let accept: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<sockaddr>?, socklen_t) -> MHD_Result = {
        context, address, _ in
        guard let context, let address else { return .NO }
        let thread = Unmanaged<DaemonThread>.fromOpaque(context).takeUnretainedValue()
        return thread.core.mayConnect(from: SocketAddress(address)) ? .YES : .NO
    }

    static let connection:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
            MHD_ConnectionNotificationCode
        ) -> Void = { context, handle, slot, event in
            guard let context, let handle, let slot else { return }
            let thread = Unmanaged<DaemonThread>.fromOpaque(context).takeUnretainedValue()
            switch event {
            case .CONNECTION_NOTIFY_STARTED:
                let address = cmhd_client_address(handle).flatMap { SocketAddress($0) }
                guard thread.opened(address) else { return }
                let connection = thread.core.accepted(socket: cmhd_socket(handle), address)
                slot.pointee = Unmanaged.passRetained(connection).toOpaque()
            case .CONNECTION_NOTIFY_CLOSED:
                guard let pointer = slot.pointee else { return }
                thread.core.closed(Unmanaged<ServerConnection>.fromOpaque(pointer).takeRetainedValue())
                slot.pointee = nil
                thread.closed()
            @unknown default: break
            }
        }

    /// The request line has arrived and is not parsed yet.
    static let target:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = { context, target, handle in
            guard let context, let handle, let pointer = cmhd_socket_context(handle) else { return nil }
            let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
            let connection = Unmanaged<ServerConnection>.fromOpaque(pointer).takeUnretainedValue()
            let bytes = target.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? []
            let exchange = core.began(on: connection, target: bytes, targetAddress: UInt(bitPattern: target))
            return Unmanaged.passRetained(exchange).toOpaque()
        }

    static let access:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?,
            UnsafePointer<CChar>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> MHD_Result = { _, handle, _, method, version, upload, uploadSize, slot in
            guard let handle, let method, let version, let uploadSize, let pointer = slot?.pointee else { return .NO }
            let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
            let connection = Exchange.Handle(pointer: handle)
            guard uploadSize.pointee > 0, let upload else {
                return exchange.called(connection, method: method, version: version)
            }
            let bytes = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
            uploadSize.pointee = 0
            return exchange.received(bytes, connection)
        }

    static let completed:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
            MHD_RequestTerminationCode
        ) -> Void = { _, _, slot, code in
            guard let slot, let pointer = slot.pointee else { return }
            slot.pointee = nil
            Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
                .completed(normally: code == .REQUEST_TERMINATED_COMPLETED_OK)
        }

    static let upgraded:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int, Int32,
            OpaquePointer?
        ) -> Void = { _, _, context, bytes, count, socket, handle in
            guard let handle else { return }
            guard let context else {
                _ = cmhd_upgrade_close(handle)
                return
            }
            // The exchange lives until `completed`, which follows the close of the upgraded connection.
            let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            let first = bytes.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
            exchange.upgraded(
                socket: socket, handle: UpgradedSocket.Handle(pointer: handle), firstBytes: first)
        }

    /// Leaves the target encoded: this module decodes it strictly.
    static let unescape:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?
        ) -> Int = { _, _, text in
            text.map { strlen($0) } ?? 0
        }
}
