// SPDX-License-Identifier: MIT

import FoundationEssentials
import FuzzerDriver

@testable import ObjectStore

/// Where the program starts.
@_cdecl("objects_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runFuzzer(count, arguments, longest: 1_024) { fuzz($0, $1) }
}

/// The first byte says what the rest is read as: an answer of a store that is not trusted, or a key or an address that
/// somebody typed. Whatever comes, it is refused or keeps what the callers rely on.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let kind = input.first else { return 0 }
    let bytes = Array(input.dropFirst())
    let text = String(decoding: bytes, as: UTF8.self)
    switch kind % 8 {
    case 0:
        guard let listing = try? S3Listing(bytes) else { return 0 }
        precondition(listing.objects.allSatisfy { $0.size >= 0 } && listing.next != "", "a page that cannot be")
    case 1: if let page = try? S3Uploads(bytes) { precondition(page.next?.id != "", "a page that cannot be") }
    case 2:
        let refusal = S3Refusal(status: 403, body: bytes)
        let error = refusal.error(action: "s3:GetObject", key: nil, bucket: "b")
        precondition(error.message.utf8.count < 2_000, "a message of any length")
    case 3:
        guard let key = try? ObjectKey(text) else { return 0 }
        precondition(!key.segments.isEmpty && key.segments.joined(separator: "/") == text, "a key changed")
        precondition(!key.segments.contains { $0.isEmpty || $0.hasPrefix(".") }, "a key could leave its folder")
        precondition(PercentEncoding.decode(PercentEncoding.encode(text)) == text, "an encoded key changed")
    case 4:
        guard let place = try? S3Configuration(text) else { return 0 }
        let address = S3Address(place)
        guard let key = try? ObjectKey("a b"), let name = try? address.name(of: key) else { return 0 }
        precondition(address.key(of: name) == key, "a key is not found again")
        precondition((try? address.url(of: name)) != nil, "a place without addresses")
    case 5: _ = try? S3CredentialSource.credentials(in: text, profile: "default", "file")
    case 6:
        guard let range = S3ContentRange(text) else { return 0 }
        precondition(!range.range.isEmpty && range.range.upperBound <= range.size, "a range that cannot be")
    default: _ = S3Time.date(text)
    }
    return 0
}
