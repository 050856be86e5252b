// SPDX-License-Identifier: MIT

import AuthServer
import Testing

@Suite struct AddressTests {
    @Test(arguments: [
        ("ada@example.org", "ada@example.org"), (" Ada.Lovelace+news@Example.ORG\t", "ada.lovelace+news@example.org"),
        ("root@localhost", "root@localhost"), ("o'neil@x-y.example", "o'neil@x-y.example"),
    ])
    func anAddressIsReadInOneForm(_ text: String, _ value: String) throws {
        #expect(try EmailAddress(text).value == value)
    }

    @Test(arguments: [
        "", "ada", "@example.org", "ada@", "ada@@example.org", "a b@example.org", "ada@exa mple.org", ".a@example.org",
        "a.@example.org", "a..b@example.org", "\"a b\"@example.org", "a@[127.0.0.1]", "a@-x.org", "a@x-.org",
        "a@x..org",
        "a@x.org.", "ada@example.org\r\nBcc: eve@example.org", "ada@example.org,eve@example.org", "ädä@example.org",
        "a\u{0}@example.org", String(repeating: "a", count: 65) + "@example.org",
        "a@" + String(repeating: "a", count: 64) + ".org",
        "a@" + Array(repeating: "abcdefgh", count: 30).joined(separator: "."),
    ])
    func whatIsNoPlainAddressIsRefused(_ text: String) {
        #expect(throws: AuthServerError.self) { try EmailAddress(text) }
    }

    @Test func anAddressDoesNotShowInADescription() throws {
        #expect(!"\(try EmailAddress("ada@example.org"))".contains("ada"))
    }

    @Test(arguments: [
        ("192.0.2.77", "192.0.2.0/24"), ("::ffff:192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2ff:3:4:5:6", "2001:db8:1:200::/56"), ("2001:db8:1:2fe::1", "2001:db8:1:200::/56"),
        ("fe80::1%eth0", "fe80:0:0:0::/56"), ("nonsense", "unknown"), ("", "unknown"),
    ])
    func aNetworkIsWhatAHouseholdHas(_ address: String, _ prefix: String) {
        #expect(NetworkPrefix(address: address).value == prefix)
    }

    @Test func aBucketLetsTheLimitThroughAndThenOneAtATime() {
        var bucket = RateBucket()
        let start = AuthTime(milliseconds: 1_000_000)
        let taken = (0..<4).map { _ in bucket.take(at: start, limit: 3, per: .seconds(30)) }
        #expect(taken == [nil, nil, nil, start + .seconds(10)])
        #expect(bucket.take(at: start + .milliseconds(9_999), limit: 3, per: .seconds(30)) != nil)
        #expect(bucket.take(at: start + .seconds(10), limit: 3, per: .seconds(30)) == nil)
        #expect(bucket.take(at: start + .seconds(10), limit: 3, per: .seconds(30)) != nil)
    }

    @Test(arguments: [100_000, 1_000_000]) func `a high limit is a limit`(_ limit: Int) {
        let start = AuthTime(milliseconds: 1_000_000)
        var bucket = RateBucket()
        let allowed = (0..<limit).count { _ in bucket.take(at: start, limit: limit, per: .seconds(60)) == nil }
        #expect(allowed == limit)
        #expect(bucket.take(at: start, limit: limit, per: .seconds(60)) == start + .milliseconds(1))
        // One that is stored after each event keeps whole milliseconds.
        var (stored, count) = (RateBucket(), 0)
        while stored.take(at: start, limit: limit, per: .seconds(60)) == nil, count < limit {
            (stored, count) = (RateBucket(emptyAt: stored.emptyAt), count + 1)
        }
        #expect(count == 60_000)
    }

    @Test(arguments: [1, 20, 29, 31, 100_000]) func `a bucket forgives a clock that was set back`(_ seconds: Int) {
        var bucket = RateBucket()
        let start = AuthTime(milliseconds: 1_000_000_000)
        for _ in 0..<3 { _ = bucket.take(at: start, limit: 3, per: .seconds(30)) }
        let earlier = start + .seconds(-seconds)
        guard let next = bucket.take(at: earlier, limit: 3, per: .seconds(30)) else {
            #expect(seconds > 30)
            return
        }
        #expect(next - earlier <= .seconds(40) && bucket.take(at: next, limit: 3, per: .seconds(30)) == nil)
    }
}
