// SPDX-License-Identifier: MIT

import Glibc

/// The service manager that started this process, as systemd does for `Type=notify` (sd_notify(3)).
struct ServiceManager: Sendable {
    /// A state of the service.
    enum State: String {
        /// It answers requests, and has read again what a reload changes.
        case ready = "READY=1"
        /// It finishes its requests and ends.
        case stopping = "STOPPING=1"
    }

    private let path: String?

    init(environment: [String: String]) { path = environment["NOTIFY_SOCKET"] }

    /// Tells the manager a state. Without a manager nothing happens; one that does not listen is not waited for.
    func tell(_ state: State) {
        guard let path, path.utf8.count > 1 else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // An abstract address, which has no file, begins with "@" instead of the null byte.
        let bytes = path.first == "@" ? [0] + Array(path.utf8.dropFirst()) : Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let message = Array(state.rawValue.utf8)
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(
                    descriptor, message, message.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), address,
                    length)
            }
        }
    }
}
