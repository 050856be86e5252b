// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Networking

/// Which proxy an address goes through.
struct ProxyRulesTests {
    private func address(_ environment: [String: String], _ url: String = "https://a.example/") throws -> String {
        try ProxyRules(.environment, environment: environment).route(for: try #require(URL(string: url))).address
    }

    @Test func theEnvironmentIsReadAsCurlReadsIt() throws {
        #expect(try address([:]).isEmpty)
        #expect(try address(["https_proxy": "http://one:1", "HTTPS_PROXY": "http://two:2"]) == "http://one:1")
        #expect(try address(["https_proxy": "", "HTTPS_PROXY": "http://two:2"]) == "http://two:2")
        #expect(try address(["https_proxy": "http://one:1", "all_proxy": "http://two:2"]) == "http://one:1")
        #expect(try address(["http_proxy": "http://one:1"]).isEmpty)
        #expect(try address(["http_proxy": "http://one:1"], "HTTP://a.example/") == "http://one:1")
        #expect(try address(["http_proxy": "http://one:1", "all_proxy": "socks5h://two:2"]) == "socks5h://two:2")
        #expect(try address(["ALL_PROXY": "https://two:2"], "http://a.example/") == "https://two:2")
        #expect(try address(["all_proxy": "one", "ALL_PROXY": "two"]) == "http://one")
        // What a CGI program gets from a request's field Proxy.
        #expect(try address(["HTTP_PROXY": "http://evil:1"], "http://a.example/").isEmpty)
    }

    @Test func exceptionsAreOfTheEnvironmentOnly() throws {
        let url = try #require(URL(string: "http://a.example/"))
        let environment = ["http_proxy": "p", "NO_PROXY": "a.example,.b.example", "all_proxy": "q"]
        #expect(
            try ProxyRules(.environment, environment: environment).route(for: url).exceptions == environment["NO_PROXY"]
        )
        #expect(try ProxyRules(.url("http://c:1"), environment: environment).route(for: url).exceptions.isEmpty)
        #expect(try ProxyRules(.none, environment: environment).route(for: url) == .direct)
    }

    @Test func nameAndPasswordAreTakenOut() throws {
        let route = try ProxyRoute("HTTP://us%40er:p%3Aw@Proxy.Example:3128/ignored?x")
        #expect(route.address == "http://Proxy.Example:3128")
        #expect(route.credentials == "us%40er:p%3Aw")
        #expect(route.host == "proxy.example")
        #expect(try ProxyRoute("me@[::1]:80").credentials == "me:")
        #expect(try ProxyRoute("me@[::1]:80").host == "::1")
        #expect(try ProxyRoute("u:p@ss@host").address == "http://host")
    }

    @Test(arguments: ["ftp://u:secret@h", "http://u:secret@", "u:secret@h\r\nx", "", "http://u:secret@:80", "://h"])
    func whatIsNoAddressIsAnErrorWithoutIt(text: String) async throws {
        let rules = ProxyRules(.url(text), environment: [:])
        let url = try #require(URL(string: "https://a.example/"))
        let error = try #require(throws: NetworkError.self) { try rules.route(for: url) }
        #expect(error.code == .proxy)
        #expect(!"\(error)".contains("secret"))
        await expectError(.proxy) {
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .url(text)
            _ = try await CurlTransport(configuration: configuration).send(HTTPRequest(.get, url))
        }
    }

    @Test func aConfigurationsDescriptionHasNoPassword() {
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .url("http://user:hunter2@proxy:1")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), "\(configuration.proxy)", dumped] {
            #expect(text.contains("http://proxy:1"))
            #expect(!text.contains("hunter2"))
        }
        configuration.proxy = .url("ftp://user:hunter2@proxy:1")
        #expect(!"\(configuration)".contains("hunter2"))
    }
}
