// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import TestKit

/// A real web server of the tests' own: HTTP/1.1 on one port, TLS with HTTP/2 on others, one for each certificate.
final class NginxServer: Sendable {
    let folder: TemporaryFolder
    let certificates: TestCertificates
    let plainPort: Int
    let securePort: Int
    /// A second plain port: another origin.
    let otherPort: Int
    private let securePorts: [String: Int]
    private let process: ChildProcess

    static let path = "/usr/sbin/nginx"
    static let names = ["good", "wrongname", "expired", "selfsigned"]

    /// One server for all tests of the process; it ends with it.
    static let shared = Result {
        // Another process may take a free port before nginx does.
        for _ in 0..<4 {
            if let server = try? NginxServer() { return server }
        }
        return try NginxServer()
    }

    init() throws {
        let folder = try TemporaryFolder()
        let certificates = try TestCertificates()
        self.folder = folder
        self.certificates = certificates
        let ports = freePorts(2 + Self.names.count)
        plainPort = ports[0]
        otherPort = ports[1]
        let securePorts = Dictionary(uniqueKeysWithValues: zip(Self.names, ports.dropFirst(2)))
        self.securePorts = securePorts
        securePort = securePorts["good"] ?? 0
        try FileManager.default.createDirectory(atPath: folder.file("www"), withIntermediateDirectories: true)
        try folder.write(String(repeating: "The quick brown fox. ", count: 5_000), to: "www/text.txt")
        try folder.write(String(repeating: "0123456789", count: 200_000), to: "www/long")
        try folder.write((0..<10).map { "\($0)" }.joined(), to: "www/digits")
        let secure = Self.names.map { name in
            """
            server {
                listen 127.0.0.1:\(securePorts[name] ?? 0) ssl http2 backlog=1024;
                ssl_certificate \(certificates.folder.file(name)).pem;
                ssl_certificate_key \(certificates.folder.file(name)).key;
                include locations.conf;
            }
            """
        }
        try folder.write(
            Self.locations(folder: folder, otherPort: otherPort, plainPort: plainPort), to: "locations.conf")
        try folder.write(
            """
            \(geteuid() == 0 ? "user root;" : "") daemon off; pid nginx.pid; error_log error.log; worker_processes 1; events { worker_connections 2000; }
            http {
                access_log off; client_max_body_size 0; keepalive_requests 1000000; keepalive_timeout 1h; default_type text/plain;
                client_body_temp_path temp1; proxy_temp_path temp2; fastcgi_temp_path temp3; uwsgi_temp_path temp4;
                scgi_temp_path temp5; gzip on; gzip_types text/plain; gzip_min_length 100;
                server {
                    listen 127.0.0.1:\(plainPort) backlog=1024; listen 127.0.0.1:\(otherPort) backlog=1024;
                    include locations.conf;
                }
                \(secure.joined(separator: "\n"))
            }
            """, to: "nginx.conf")
        // The shell ends nginx when the tests end, however they end, and removes the folders, since nobody here ends a
        // static value: its standard input is a pipe from here. nginx writes its identifier into the file when it listens.
        let script = """
            \(Self.path) -p . -c nginx.conf -e error.log & pid=$!
            while kill -0 $pid && ! [ -s nginx.pid ]; do sleep 0.01; done 2>/dev/null; echo; exec >&-
            cat >/dev/null; kill $pid; wait $pid; rm -rf "$@"
            """
        process = try ChildProcess(
            "sh", ["-c", script, "sh", folder.path, certificates.folder.path], folder: folder.path, input: .pipe,
            errors: .discarded)
        _ = process.line()
        guard FileManager.default.fileExists(atPath: folder.file("nginx.pid")) else {
            let log = (try? String(contentsOfFile: folder.file("error.log"), encoding: .utf8)) ?? "no log"
            throw CommandFailure(description: "nginx did not start: \(log)")
        }
    }

    private static func locations(folder: TemporaryFolder, otherPort: Int, plainPort: Int) -> String {
        """
        root \(folder.file("www"));
        location /hello { return 200 "hello\\n"; }
        location /echo { add_header X-Method $request_method always;
            return 200 "a=$http_authorization c=$http_cookie x=$http_x_custom m=$request_method t=$content_type u=$http_user_agent e=$http_accept_encoding"; }
        location /s503 { add_header Retry-After 1 always; return 503 "busy"; }
        location /redirect { return 302 /echo; }
        location /redirect307 { return 307 /put/moved; }
        location /traceparent { return 200 $http_traceparent; }
        location /traceparent-elsewhere { return 302 http://127.0.0.1:\(otherPort)/traceparent; }
        location /elsewhere { return 302 http://127.0.0.1:\(otherPort)/echo; }
        location /downgrade { return 302 http://127.0.0.1:\(plainPort)/hello; }
        location /loop { return 302 /loop; }
        location /slow { limit_rate 20k; alias \(folder.file("www"))/; }
        location /put/ { dav_methods PUT DELETE; create_full_put_path on; alias \(folder.file("www"))/put/; }
        """
    }

    func plain(_ path: String) throws -> URL { try url("http://127.0.0.1:\(plainPort)\(path)") }
    func secure(_ path: String) throws -> URL { try url("https://127.0.0.1:\(securePort)\(path)") }
    func secure(_ path: String, certificate: String) throws -> URL {
        try url("https://127.0.0.1:\(securePorts[certificate] ?? 0)\(path)")
    }

    private func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw CommandFailure(description: "not a URL: \(text)") }
        return url
    }

    /// A configuration that trusts the tests' authority, allows plain http to this machine, and waits for as long as a
    /// busy machine takes.
    var configuration: CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        configuration.certificateAuthorityFile = certificates.authority
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        configuration.timeouts = HTTPTimeouts(connect: nil, firstByte: nil, idle: nil)
        return configuration
    }
}
