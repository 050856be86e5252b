// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPServer

/// The metadata of an upload at its creation (tus 1.0.0, `Upload-Metadata`): keys, each with or without a value in
/// base64.
enum UploadMetadata {
    /// The decoded values by their keys.
    ///
    /// - Throws: A 400 with the fault.
    static func values(in text: String) throws(ServerProblem) -> [String: String] {
        var values: [String: String] = [:]
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: " ")
            guard let key = parts.first.map(String.init), parts.count <= 2 else {
                throw .badRequest("Upload-Metadata takes pairs of a key and a value in base64, with commas between.")
            }
            let encoded = parts.count == 2 ? String(parts[1]) : ""
            guard let bytes = Data(base64Encoded: encoded), let value = String(validating: bytes, as: UTF8.self) else {
                let isName = key.utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
                }
                let name = isName ? "“\(key)”" : "a key"
                throw .badRequest("The value of \(name) in Upload-Metadata is not base64 of UTF-8.")
            }
            guard values.updateValue(value, forKey: key) == nil else {
                throw .badRequest("A key occurs twice in Upload-Metadata.")
            }
        }
        return values
    }
}

/// Limits of the disk space for recordings.
public struct UploadPolicy: Sendable, Hashable {
    /// The most bytes of one recording; 64 MiB.
    public var maximumBytes = 64 << 20
    /// The most bytes of an account's recordings together, unfinished uploads included; 2 GiB.
    public var quotaBytes = 2 << 30
    /// The most recordings of an account; 20,000.
    public var maximumCount = 20_000
    /// The time without bytes after which an upload is deleted; a week.
    public var lifetime: Duration = .seconds(7 * 86_400)

    /// The defaults.
    public init() {}
}
