// SPDX-License-Identifier: MIT

import Diagnostics
import Testing

@testable import Postgres

@Suite struct URLTests {
    @Test func `a whole URL is understood`() throws {
        let configuration = try PostgresConfiguration(
            url: "postgresql://me%40x:p%3Aa%2Fs@db1.example:5433,[::1]:1,10.0.0.1/my%20data?sslmode=verify-ca"
                + "&sslrootcert=/etc/ca.pem&application_name=x&target_session_attrs=read-write&connect_timeout=3"
                + "&pool_size=4&prepared_statements=0&passfile=/run/pass")
        #expect(configuration.hosts == [.init("db1.example", port: 5433), .init("::1", port: 1), .init("10.0.0.1")])
        #expect(configuration.user == "me@x" && configuration.password == "p:a/s")
        #expect(configuration.database == "my data" && configuration.tls == .verifyCA)
        #expect(configuration.trustedCertificates == "/etc/ca.pem" && configuration.target == .readWrite)
        #expect(configuration.connectTimeout == .seconds(3) && configuration.maximumConnections == 4)
        #expect(configuration.preparedStatements == 0 && configuration.passwordFile == "/run/pass")
    }

    @Test(arguments: ["postgres:///d?host=/run/pg&port=6000", "postgres://%2Frun%2Fpg:6000/d"])
    func `a socket's folder is a host`(url: String) throws {
        let configuration = try PostgresConfiguration(url: url)
        #expect(configuration.hosts == [.init("/run/pg", port: 6000)] && configuration.hosts[0].isSocket)
        #expect(configuration.keywords(for: configuration.hosts[0]).contains { $0 == ("sslmode", "disable") })
    }

    @Test func `the certificate is verified unless that is switched off`() throws {
        func mode(_ parameters: String) throws -> [String] {
            try PostgresConfiguration(url: "postgres://h/d\(parameters)").keywords(for: .init("h"))
                .filter { $0.0.hasPrefix("ssl") }.map(\.1)
        }
        #expect(try mode("") == ["verify-full", "/etc/ssl/certs/ca-certificates.crt"])
        #expect(try mode("?sslmode=require") == ["require"])
        #expect(try mode("?sslmode=disable") == ["disable"])
    }

    @Test(arguments: [
        "", "mysql://h/d", "postgres://h", "postgres://h/", "postgres:///d", "postgres://h/d/e", "postgres://h:x/d",
        "postgres://h:0/d", "postgres://h:70000/d", "postgres://h:/d", "postgres://@h/d", "postgres://%zz@h/d",
        "postgres://%/d", "postgres://%00/d", "postgres://%FF/d", "postgres://h/d?sslmode=prefer",
        "postgres://h/d?nonsense=1", "postgres://h/d?sslmode", "postgres://h/d?sslmode=disable&sslmode=require",
        "postgres://h/d?host=x", "postgres://h/d?port=1", "postgres://h/d?pool_size=0", "postgres://[::1/d",
        "postgres://[::1]x/d", "postgres://h/d?connect_timeout=+-1", "postgres://%+1/d", "postgres://a,,b/d",
    ])
    func `an invalid URL is refused`(url: String) {
        let error = #expect(throws: PostgresError.self) { try PostgresConfiguration(url: url) }
        #expect(error?.code == .invalidURL)
    }

    @Test func `a password is shown nowhere`() throws {
        let configuration = try PostgresConfiguration(url: "postgres://me:sesame@h/d")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(text.contains("postgres://me@h:5432/d") && !text.contains("sesame"))
        }
        for url in ["postgres://me:sesame@h:x/d", "postgres://me:sesame%zz@h/d", "postgres://me:sesame@h/d?x=sesame"] {
            let error = #expect(throws: PostgresError.self) { try PostgresConfiguration(url: url) }
            #expect(error.map { "\($0)".contains("sesame") } == false)
        }
    }
}
