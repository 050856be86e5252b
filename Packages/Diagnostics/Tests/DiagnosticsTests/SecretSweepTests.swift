// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import Testing

@Suite struct SecretSweepTests {
    private static let hex = "0123456789abcdef0123456789ABCDEF"
    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let pem =
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLs\n-----END PRIVATE KEY-----"

    // A list of its own with a type: as an argument of the macro it took the compiler five seconds, three times.
    private static let cases: [(text: String, expected: String)] = [
        ("", ""),
        ("nothing to see", "nothing to see"),
        ("Authorization: Bearer abc123def456", "Authorization: Bearer <removed:credential>"),
        ("authorization: bearer AbCdEfGhIjKlMnOpQrStU==, next", "authorization: bearer <removed:credential>, next"),
        ("\"Bearer\": \"tok3n/with+all.of~it=\"}", "\"Bearer\": \"<removed:credential>\"}"),
        ("Basic dXNlcjpwYXNzd29yZDEyMw== x", "Basic <removed:credential> x"),
        ("Bearer authentication failed", "Bearer authentication failed"),
        ("the bearer of 3 news", "the bearer of 3 news"),
        ("a basic introduction", "a basic introduction"),
        ("Bearer", "Bearer"), ("Bearer ", "Bearer "), ("forbearer abc123def456", "forbearer abc123def456"),
        ("token=\(jwt)&next=1", "token=<removed:jwt>&next=1"),
        ("\(jwt)", "<removed:jwt>"), ("Bearer \(jwt)", "Bearer <removed:credential>"),
        ("unsigned eyJhbGciOiJub25lIn0.eyJhIjoxfQ. end", "unsigned <removed:jwt> end"),
        ("eyJustAWord and more", "eyJustAWord and more"), ("eyJ", "eyJ"), ("eyJ.", "eyJ."),
        ("key \(hex)", "key <removed:hex>"), ("0x\(hex)!", "0x<removed:hex>!"), ("k_\(hex)_x", "k_<removed:hex>_x"),
        ("\(hex)\(hex)", "<removed:hex>"), ("zz\(hex)zz", "zz<removed:hex>zz"),
        (String(hex.dropLast()), String(hex.dropLast())),
        ("id 3F2504E0-4F89-11D3-9A0C-0305E82C3301", "id 3F2504E0-4F89-11D3-9A0C-0305E82C3301"),
        ("sk-proj-abcDEF123456", "<removed:key>"), ("xi sk_1234567890abcdef", "xi <removed:key>"),
        ("sk-learn-is-a-library", "sk-learn-is-a-library"), ("sk-short1", "sk-short1"),
        ("ask-1234567890abcdef", "ask-1234567890abcdef"),
        ("https://h/?apikey=abc&x=1", "https://h/?apikey=<removed:credential>&x=1"),
        ("?sv=1&sig=a%2Bb%3D&se=2", "?sv=1&sig=<removed:credential>&se=2"),
        ("?api%5Fkey=s3", "?api%5Fkey=<removed:credential>"), ("?%61pikey=s3", "?%61pikey=<removed:credential>"),
        ("?toke%6E=s;x", "?toke%6E=<removed:credential>;x"),
        ("%74%6f%6B%65%6E=s", "%74%6f%6B%65%6E=<removed:credential>"),
        ("password=p;user%5Bpassword%5D=q", "password=<removed:credential>;user%5Bpassword%5D=<removed:credential>"),
        ("apikey: abc123def456", "apikey: <removed:credential>"),
        ("{\"apikey\":\"abc123def456\"}", "{\"apikey\":\"<removed:credential>\"}"),
        ("The token: it is missing", "The token: it is missing"), ("x=sig", "x=sig"), ("token=", "token="),
        ("apikey=sk-abcDEF1234567890", "apikey=<removed:key>"), ("tokens=12", "tokens=12"),
        ("before\n\(pem)\nafter", "before\n<removed:pem>\nafter"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE", "<removed:pem>"),
        ("-----BEGIN A-----\nx\n-----END A", "<removed:pem>"),
        ("x------BEGIN A-----\nx\n-----END A-----y", "x-<removed:pem>y"),
        ("\(pem)\(pem)", "<removed:pem><removed:pem>"),
        ("----- BEGIN no", "----- BEGIN no"), ("-----", "-----"), ("- - -", "- - -"),
        ("größe \(hex) 😀 \(hex)é", "größe <removed:hex> 😀 <removed:hex>é"),
    ]

    @Test(arguments: cases)
    func removesWhatHasTheFormOfASecret(text: String, expected: String) {
        #expect(SecretSweep.cleaned(text) == expected)
        #expect(SecretSweep.cleaned(expected) == expected, "once is enough")
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            "eyJ", "eyJa.", "eyJ.a", "bearer ", "basic", "basic/", "-----BEGIN ", "-----END ", "sk-", "-", "0", "a-",
            "é", "token=", "token=sk-0123456789abcdef", "%74=", "sig:",
        ])
    func takesTimeLinearInTheText(piece: String) {
        // Quadratic work on these 400 kB would take many minutes; a linear pass takes a moment.
        let text = String(repeating: piece, count: 400_000 / piece.utf8.count)
        _ = SecretSweep.cleaned(text)
    }

    @Test func anyTextStaysTextAndOtherwiseAsItWas() {
        let seed = UInt64.random(in: 0 ... .max)
        var state = seed
        let secrets = [
            (Self.jwt, "<removed:jwt>"), (Self.hex, "<removed:hex>"), (Self.pem, "<removed:pem>"),
            ("Bearer abc123def456", "Bearer <removed:credential>"), ("sk-abcDEF1234567890", "<removed:key>"),
        ]
        let pieces = secrets + ["plain", " ", "é", "-", "."].map { ($0, $0) }
        for round in 0..<500 {
            let chosen = (0..<12).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return pieces[Int(state >> 33) % pieces.count]
            }
            for separator in [" ", "\n", ", ", "|"] {
                let cleaned = SecretSweep.cleaned(chosen.map(\.0).joined(separator: separator))
                #expect(cleaned == chosen.map(\.1).joined(separator: separator), "seed \(seed), round \(round)")
                #expect(SecretSweep.cleaned(cleaned) == cleaned, "seed \(seed), round \(round)")
            }
        }
    }

    @Test func noSinkGetsASecretInAMessageOrInMetadata() throws {
        let ring = RingSink(capacity: 10)
        let pipe = Pipe()
        let sinks = MultiplexSink([ring, StandardErrorSink(fileDescriptor: pipe.fileHandleForWriting.fileDescriptor)])
        for reveals in [true, false] {
            let logger = Logger(category: "c", sink: sinks, revealsPrivate: reveals)
                .with("header", "\("Bearer abc123def456", privacy: .public)")
            logger.info("sent \(Self.jwt, privacy: .public) and \(Self.hex)")
            logger.error("\(Self.pem, privacy: .public)")
        }
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let kept = ring.snapshot().map { "\($0.message.text) \($0.metadata.values.map(\.text))" }.joined()
        for output in [text, kept] {
            for secret in ["abc123def456", "dBjftJeZ4CVP", Self.hex, "MC4CAQAw"] { #expect(!output.contains(secret)) }
            #expect(output.contains("sent <removed:jwt> and <removed:hex>"))
            #expect(output.contains("sent <removed:jwt> and <private>"))
            #expect(output.contains("<removed:pem>"))
            #expect(output.contains("Bearer <removed:credential>"))
        }
    }
}
