// SPDX-License-Identifier: MIT

import Foundation
import TestKit

/// An authority and certificates for 127.0.0.1 and localhost, made by openssl while the tests run.
final class TestCertificates: Sendable {
    let folder: TemporaryFolder
    /// The base64 pin of each certificate's key, by its name.
    let pins: [String: String]

    var authority: String { folder.file("ca.pem") }

    /// Makes `good`, `wrongname` (for another host), `expired` and `selfsigned`.
    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        func openssl(_ line: String) throws {
            try runCommand("/usr/bin/openssl", line.split(separator: " ").map(String.init), in: folder.path)
        }
        try folder.write("subjectAltName=IP:127.0.0.1,DNS:localhost\n", to: "good.ext")
        try folder.write("subjectAltName=DNS:elsewhere.invalid\n", to: "wrongname.ext")
        try folder.write("subjectAltName=IP:127.0.0.1,DNS:localhost\n", to: "expired.ext")
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        try openssl("req -x509 \(key) -keyout ca.key -out ca.pem -days 3650 -subj /CN=Authority")
        for name in ["good", "wrongname", "expired"] {
            try openssl("req \(key) -keyout \(name).key -out \(name).csr -subj /CN=\(name)")
            let sign =
                "x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -out \(name).pem -extfile \(name).ext"
            guard name == "expired" else {
                try openssl("\(sign) -days 30")
                continue
            }
            // OpenSSL takes either the one or, from 3.4 on, the other.
            do { try openssl("\(sign) -days -1") } catch {
                try openssl("\(sign) -not_before 20200101000000Z -not_after 20200102000000Z")
            }
        }
        try openssl(
            "req -x509 \(key) -keyout selfsigned.key -out selfsigned.pem -days 30 -subj /CN=127.0.0.1 "
                + "-addext subjectAltName=IP:127.0.0.1")
        var pins: [String: String] = [:]
        for name in ["good", "wrongname"] {
            let command = "openssl pkey -in \(name).key -pubout -outform der | openssl dgst -sha256 -binary | base64"
            let output = try runCommand("/bin/sh", ["-c", command], in: folder.path)
            pins[name] = output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        self.pins = pins
    }
}
