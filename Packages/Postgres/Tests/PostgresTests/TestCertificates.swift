// SPDX-License-Identifier: MIT

import Glibc
import TestKit

/// A certificate authority of a test's own, and a server's certificate for `localhost` from it.
struct TestCertificates {
    let authority: String
    let certificate: String
    let key: String

    init(in folder: TemporaryFolder) throws {
        authority = folder.file("ca.crt")
        certificate = folder.file("server.crt")
        key = folder.file("server.key")
        let names = try folder.write("subjectAltName=DNS:localhost\n", to: "names")
        let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        for arguments in [
            ["req", "-x509"] + curve + [
                "-keyout", folder.file("ca.key"), "-out", authority, "-subj", "/CN=test", "-days", "2",
            ],
            ["req"] + curve + ["-keyout", key, "-out", folder.file("request"), "-subj", "/CN=localhost"],
            [
                "x509", "-req", "-in", folder.file("request"), "-CA", authority, "-CAkey", folder.file("ca.key"),
                "-CAcreateserial", "-out", certificate, "-days", "2", "-extfile", names,
            ],
        ] {
            let result = try ChildProcess("openssl", arguments, errors: .output).finish()
            guard result.code == 0 else { throw Failure(words: result.output) }
        }
    }

    struct Failure: Error {
        let words: String
    }

    /// A port of 127.0.0.1 that is free now, below those that the system gives to anybody's connection meanwhile
    /// (`ip_local_port_range`, ip(7)).
    static func freePort() -> Int {
        while true {
            let wanted = Int.random(in: 20_000..<32_000)
            // One that is taken stays 0.
            let (socket, port) = boundSocket(port: wanted)
            close(socket)
            if port == wanted { return port }
        }
    }

    /// A socket at a free port of 127.0.0.1, or of 127.0.0.`number`.
    static func boundSocket(at number: UInt32 = 1, port: Int = 0) -> (socket: Int32, port: Int) {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 | number).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, size)
                getsockname(socket, pointer, &size)
            }
        }
        return (socket, Int(UInt16(bigEndian: address.sin_port)))
    }
}
