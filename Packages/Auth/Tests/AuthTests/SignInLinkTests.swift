// SPDX-License-Identifier: MIT

import FoundationEssentials
import Testing

@testable import Auth

@Suite struct SignInLinkTests {
    private static let token = "pkce_5f1d7e84cd2a0e7be96c4c9f2f8f"
    private static let good = [
        "https://project.example/auth/v1/verify?token=\(token)&type=magiclink&redirect_to=https%3A%2F%2Fa.example%2F%3Fb",
        "https://project.example/link?token_hash=\(token)", "https://PROJECT.example/link?token=\(token)",
        "http://127.0.0.1:4711/signed-in?state=abc_-&code=2b306a77-21dc-4110-ba71-537cb56b9e98",
        "parley://signed-in?state=abc_-&code=a", "parley://signed-in/?code=a&state=abc_-&sb=",
        "parley://signed-in?state=a&error=access_denied&error_code=otp_expired&error_description=Email+link",
        "http://127.0.0.1:4711/signed-in?state=a&error=access_denied&error_code=otp_expired#error=access_denied&sb=",
        "  \n https://project.example/link?token=%70kce_5f1d\r\n",
    ]

    private func read(_ text: String, _ server: String = "https://project.example/auth/v1") throws -> SignInLink {
        try SignInLink(text, server: try #require(URL(string: server)))
    }

    @Test(arguments: good) func `a link of the server's is taken apart`(_ text: String) throws {
        let link = try read(text)
        switch link.proof {
        case .token(let token, let type):
            #expect(token.exposed.hasPrefix("pkce_") && (type == "magiclink") == text.contains("magiclink"))
            #expect(link.state == nil && link.belongs(to: nil) && link.belongs(to: "abc"))
        case .code:
            #expect(link.belongs(to: "abc_-") && !link.belongs(to: "abc_") && !link.belongs(to: nil))
        case .refused(let name): #expect(name == "otp_expired" && link.belongs(to: "a"))
        }
    }

    @Test(arguments: [
        "", " ", "https://", "https:///?token=a", "https://project.example", "https://project.example/?",
        "https://project.example/?token=", "https://project.example/?token", "https://project.example/?token=a&token=b",
        "https://project.example/?token=a&token_hash=b", "https://project.example/?token=a&code=b",
        "https://project.example/?code=b", "https://project.example/?token=a&&type=email",
        "https://project.example/?token=a&type=recovery", "https://project.example/?token=a&type=email&type=email",
        "https://project.example/?token=a%", "https://project.example/?token=a%2",
        "https://project.example/?token=a%zz",
        "https://project.example/?token=a%00", "https://project.example/?token=a%0Ab",
        "https://project.example/?token=%FF",
        "https://project.example/?token=a%2Fb", "https://project.example/?token=a+b",
        "https://project.example/?token=a=b",
        "https://project.example/?%74oken=a", "https://project.example/?Token=a", "https://project.example/?token=a#b",
        "https://project.example/#access_token=a", "https://project.example/?token=a b",
        "https://project.example/?tökén=a",
        "https://project.example/?token=ä", "https://project.example/?token=\(String(repeating: "a", count: 257))",
        "https://project.example/?token=a&x=\(String(repeating: "a", count: 2_048))",
        "https://project.example/?token=a&" + (0..<16).map { "a\($0)=" }.joined(separator: "&"),
        "http://project.example/?token=a", "HTTPS://project.example/?token=a", "ftp://project.example/?token=a",
        "javascript:alert(1)", "file:///etc/passwd?token=a", "https:project.example/?token=a",
        "https://project.example.evil.example/?token=a", "https://evil.example/?token=a",
        "https://evil.example/project.example/?token=a", "https://project.example@evil.example/?token=a",
        "https://evil.example@project.example/?token=a", "https://ada:b@project.example/?token=a",
        "https://project.example:8443/?token=a", "https://project.example:/?token=a",
        "https://project.example:0/?token=a",
        "https://project.example:065/?token=a", "https://project.example:99999/?token=a",
        "https://project.example:1:2/?token=a",
        "https://project%2eexample/?token=a", "https://[::1]/?token=a",
        #"https://project.example\@evil.example/?token=a"#,
        "https://project.example/a/../b?token=a", "https://project.example/%2e?token=a",
        "https://project.example/;a?token=a",
        "//project.example/?token=a", "project.example/?token=a", "<https://project.example/?token=a>",
        "parley://evil?code=a&state=b", "parley://signed-in:1?code=a", "parley://signed-in/x?code=a",
        "parley:signed-in?code=a",
        "parley://signed-in?token=a&state=b", "parley://signed-in?code=a&state=",
        "parley://signed-in?code=a&state=a&state=a",
        "parley://signed-in?code=a&error=b", "parley://signed-in?state=b#code=a", "http://127.0.0.1/signed-in?code=a",
        "http://127.0.0.1:80/other?code=a", "http://localhost:80/signed-in?code=a",
        "http://127.0.0.2:80/signed-in?code=a",
        "http://127.0.0.1.evil.example:80/signed-in?code=a", "http://127.0.0.1:80/signed-in?token=a",
        "https://project.example/?error=access_denied",
    ])
    func `what is not exactly a link is refused, and not quoted`(_ text: String) throws {
        do {
            _ = try read(text)
            Issue.record("it was taken")
        } catch let error as AuthError {
            #expect(error.code == .invalidLink && !error.message.contains("evil"))
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost", "[::1]"])
    func `a server on this machine may have links without TLS`(_ host: String) throws {
        let server = "http://\(host):8080"
        guard case .token = try read("\(server)/link?token=a", server).proof else {
            Issue.record("it is a mail's link")
            return
        }
        for link in [
            "http://\(host):8081/link?token=a", "http://\(host):8080/link?code=a", "https://\(host):8080/link?token=a",
            "http://\(host)evil.example:8080/link?token=a", "http://\(host)/link?token=a",
        ] {
            #expect(throws: AuthError.self) { try read(link, server) }
        }
    }

    /// Each byte of good links replaced, removed and doubled: whatever is still taken goes to the same place, and shows a proof
    /// that is made of plain characters.
    @Test(arguments: good) func `no mutation leads elsewhere`(_ text: String) throws {
        let bytes = Array(text.utf8)
        let others = Array("\0\t\n %#&/:=?@[]\\+.aA0~\u{7F}".utf8) + [0x80, 0xC3, 0xFF]
        var taken = 0
        for index in bytes.indices {
            var mutations = others.map { other in
                var copy = bytes
                copy[index] = other
                return copy
            }
            mutations.append(Array(bytes[..<index] + bytes[(index + 1)...]))
            mutations.append(Array(bytes[...index] + bytes[index...]))
            mutations.append(Array(bytes[..<index]))
            for mutation in mutations {
                guard let link = try? read(String(decoding: mutation, as: UTF8.self)) else { continue }
                taken += 1
                let proof: String
                switch link.proof {
                case .token(let token, _):
                    proof = token.exposed
                    let place = String(decoding: mutation, as: UTF8.self).lowercased()
                    #expect(place.contains("https://project.example/"))
                case .code(let code): proof = code.exposed
                case .refused: proof = "x"
                }
                #expect(proof.utf8.allSatisfy { (0x2D...0x7E).contains($0) && $0 != UInt8(ascii: "/") })
            }
        }
        #expect(taken > 0 && taken < bytes.count * (others.count + 3) / 2)
    }
}
