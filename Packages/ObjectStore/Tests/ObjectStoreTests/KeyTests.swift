// SPDX-License-Identifier: MIT

import FoundationEssentials
import ObjectStore
import Security
import TestKit
import Testing

struct KeyTests {
    @Test(arguments: [
        "", "/", "a/", "/a", "a//b", ".", "..", "a/..", "../a", "a/./b", ".hidden", "a/.b", "a\0b", "a\nb", "a\u{7F}",
        String(repeating: "a", count: 256), String(repeating: "abc/", count: 256) + "d",
    ])
    func `a key that could leave its place is refused`(text: String) throws {
        let error = #expect(throws: ObjectStoreError.self) { try ObjectKey(text) }
        #expect(error?.code == .invalidKey)
    }

    @Test(arguments: ["a", "a/b", "a..b", "a/b.", "~", "ü", "a b", String(repeating: "ab/", count: 341) + "c"])
    func `a key of plain segments is taken`(text: String) throws {
        #expect(try ObjectKey(text).text == text)
    }

    @Test func `a key is its bytes`() throws {
        let keys = try ["a/\u{301}b", "\u{E9}", "e\u{301}"].map { try ObjectKey($0) }
        #expect(keys[0].segments.map { Array($0.utf8) } == [Array("a".utf8), Array("\u{301}b".utf8)])
        #expect(keys[1] != keys[2] && Set(keys).count == 3)
    }

    @Test func `an address has a bucket, a prefix and options`() throws {
        let amazon = try S3Configuration("s3://my-sounds/parley/eu?region=eu-central-1")
        #expect(amazon.bucket == "my-sounds" && amazon.prefix?.text == "parley/eu")
        #expect(amazon.endpoint.absoluteString == "https://s3.eu-central-1.amazonaws.com")
        #expect(amazon.addressStyle == .virtualHost)
        let own = try S3Configuration("s3://sounds/?endpoint=https%3A%2F%2Fminio.example%3A9000&style=host")
        #expect(own.endpoint.absoluteString == "https://minio.example:9000" && own.prefix == nil)
        #expect(own.addressStyle == .virtualHost && own.region == "us-east-1")
        #expect(try S3Configuration("s3://sounds?endpoint=http://127.0.0.1:5000").addressStyle == .path)
        #expect(try S3Configuration("s3://dotted.name").addressStyle == .path)
    }

    @Test(arguments: [
        "", "http://bucket", "s3://", "s3://Bucket", "s3://a", "s3://bucket/../x", "s3://bucket/a//b",
        "s3://bucket?colour=red", "s3://bucket?endpoint=ftp://x", "s3://bucket?endpoint=https://x/path",
        "s3://bucket?endpoint=https://user:secret@x", "s3://bucket?region=a%20b", "s3://bucket?style=new",
        "s3://bucket?region",
    ])
    func `an invalid address is told without its secrets`(text: String) throws {
        let error = #expect(throws: ObjectStoreError.self) { try S3Configuration(text) }
        #expect(error?.code == .invalidConfiguration && error?.message.contains("secret") == false)
    }
}

struct CredentialTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ text: String, mode: Int = 0o600, profile: String = "default") async throws -> S3Credentials {
        try await S3CredentialSource.file(folder.write(text.utf8, to: "credentials", mode: mode), profile: profile)
            .credentials()
    }

    private static let text = """
        # mine
        [other]
        aws_access_key_id = OTHER
        aws_secret_access_key = x
        [default]
        aws_access_key_id=KEY
        AWS_SECRET_ACCESS_KEY =  a/b=c+d\u{20}
        """

    @Test func `a section of a file is read`() async throws {
        let credentials = try await read(Self.text)
        #expect(credentials.accessKey == "KEY")
        #expect(credentials.secretKey.withExposed { String(decoding: $0, as: UTF8.self) } == "a/b=c+d")
        #expect(credentials.sessionToken == nil)
        #expect(try await read(Self.text, profile: "other").accessKey == "OTHER")
        #expect(!"\(credentials)".contains("a/b") && !String(reflecting: credentials).contains("a/b"))
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o644])
    func `a file that others can use is refused`(mode: Int) async throws {
        let error = await #expect(throws: ObjectStoreError.self) { _ = try await read(Self.text, mode: mode) }
        #expect(error?.code == .noCredentials && error?.message.contains("chmod 600") == true)
    }

    @Test(arguments: [
        "", "[default]", "[default]\naws_access_key_id = a", "aws_access_key_id = a\naws_secret_access_key = b",
    ])
    func `a file without credentials says what to write`(text: String) async throws {
        let error = await #expect(throws: ObjectStoreError.self) { _ = try await read(text) }
        #expect(error?.code == .noCredentials && error?.message.contains("[default]") == true)
    }

    @Test func `the environment has both or none`() async throws {
        #expect(S3CredentialSource.environment(["AWS_ACCESS_KEY_ID": "a"]) == nil)
        let both = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_SESSION_TOKEN": ""]
        let credentials = try await #require(S3CredentialSource.environment(both)).credentials()
        #expect(credentials.accessKey == "a" && credentials.sessionToken == nil)
    }
}
