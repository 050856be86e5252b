// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking
import XMLTree

/// An answer of S3 that is no success ("Error responses", Amazon S3 API Reference).
struct S3Refusal {
    let status: Int
    /// S3's code; empty if the answer has none, as that to HEAD.
    let code: String
    private let message: String
    private let region: String?

    init(status: Int, body: [UInt8], headers: HTTPHeaders = [:]) {
        let root = try? XMLElement.parse(body)
        let error = root?.name == "Error" ? root : nil
        self.status = status
        code = error?.text(of: "Code") ?? ""
        message = error?.text(of: "Message") ?? ""
        region = headers["x-amz-bucket-region"] ?? error?.text(of: "Region")
    }

    /// True if other credentials may be taken.
    var concernsCredentials: Bool {
        [
            "ExpiredToken", "TokenRefreshRequired", "InvalidToken", "InvalidAccessKeyId", "InvalidClientTokenId",
            "SignatureDoesNotMatch",
        ].contains(code) || code.isEmpty && [400, 401, 403].contains(status)
    }

    /// The error for the caller.
    ///
    /// - Parameter action: The right that the request needs, such as `s3:PutObject`.
    func error(action: String, key: ObjectKey?, bucket: String) -> ObjectStoreError {
        let (kind, text) = meaning(action: action, key: key, bucket: bucket)
        let said = message.isEmpty || kind == .notFound ? "" : " The store says: \(message.prefix(200))"
        return ObjectStoreError(code: kind, message: text + said)
    }

    private func meaning(action: String, key: ObjectKey?, bucket: String) -> (ObjectStoreError.Code, String) {
        switch code {
        case "NoSuchBucket": return (.noSuchBucket, "There is no bucket \(bucket). Make it, or name another.")
        case "NoSuchUpload": return (ObjectStoreError.noSuchUpload.code, ObjectStoreError.noSuchUpload.message)
        case "ExpiredToken", "TokenRefreshRequired":
            return (.credentialsExpired, "The credentials for bucket \(bucket) have expired. Replace them.")
        case "RequestTimeTooSkewed", "RequestExpired":
            return (.clockSkew, "This machine's clock and the store's differ too much. Set the clock.")
        case "InvalidAccessKeyId", "InvalidClientTokenId", "SignatureDoesNotMatch", "InvalidToken":
            return (.denied, "The access key for bucket \(bucket) or its secret is wrong. Correct them.")
        case "EntityTooSmall", "InvalidPart", "InvalidPartOrder":
            return (.invalidParts, "The parts are missing, replaced, out of order or too small. Put them again.")
        case "EntityTooLarge": return (.tooLarge, "The content is too large for one request. Put it in parts.")
        case "XAmzContentSHA256Mismatch", "BadDigest", "IncompleteBody", "InvalidDigest":
            return (.damaged, "The content changed on its way. Put it again.")
        case "QuotaExceeded", "XMinioStorageFull", "InsufficientCapacity":
            return (.full, "The store has no room left in bucket \(bucket). Make room.")
        case "KeyTooLongError", "InvalidURI": return (.invalidKey, "The store does not take the key. Choose another.")
        case "PermanentRedirect", "AuthorizationHeaderMalformed", "TemporaryRedirect",
            "IllegalLocationConstraintException":
            return wrongRegion(bucket)
        default: break
        }
        switch status {
        case 404: return (.notFound, key.map { "There is no object \($0)." } ?? "There is no bucket \(bucket).")
        case 301, 307, 308: return wrongRegion(bucket)
        case 401, 403:
            return (
                .denied, "Bucket \(bucket) does not allow \(action) with this access key. Grant it, or use another key."
            )
        case 412: return (.busy, "The object was replaced while it was read. Read it again.")
        case 416: return (.outOfRange, "The range has no byte of the object. Ask for its size by head(_:) first.")
        case 507: return (.full, "The store has no room left in bucket \(bucket). Make room.")
        case 429, 500...599: return (.busy, "The store answered \(status) to each attempt. Try again later.")
        default:
            let name = code.isEmpty ? "\(status)" : "\(status) \(code.prefix(60))"
            return (.invalidAnswer, "The store answered \(name) to \(action). Check its address and that it is S3.")
        }
    }

    private func wrongRegion(_ bucket: String) -> (ObjectStoreError.Code, String) {
        let advice = region.map { "Set the region to \($0)." } ?? "Set the bucket's region and endpoint."
        return (.invalidConfiguration, "Bucket \(bucket) is in another region. \(advice)")
    }
}

extension ObjectStoreError {
    static func ofNetwork(_ error: NetworkError) -> any Error {
        // The source of a body, or its check, has failed.
        if error.code == .requestBody, let cause = error.underlying { return cause }
        let code: Code =
            switch error.code {
            case .insecure, .invalidRequest, .libraryMissing: .invalidConfiguration
            case .responseTooLarge, .headerTooLarge: .invalidAnswer
            default: .network
            }
        return ObjectStoreError(code: code, message: error.message, underlying: error)
    }
}

extension XMLElement {
    /// The text of the first child of a name, whatever its namespace, which some servers leave out.
    func text(of name: String) -> String? { children.first { $0.name == name }.map { String($0.text.trimmed) } }
}
