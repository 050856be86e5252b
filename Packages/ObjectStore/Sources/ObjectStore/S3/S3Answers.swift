// SPDX-License-Identifier: MIT

import FoundationEssentials
import XMLTree

/// The answer to a listing (`ListBucketResult` of ListObjectsV2).
struct S3Listing {
    /// Names in the bucket, with sizes and times.
    var objects: [(name: String, size: Int, modifiedAt: Date)] = []
    /// The token of the next page; nil at the end.
    var next: String?

    /// - Throws: ``ObjectStoreError`` with the code `invalidAnswer`.
    init(_ body: [UInt8]) throws(ObjectStoreError) {
        let root = try XMLElement.answer(body, "ListBucketResult")
        for entry in root.children where entry.name == "Contents" {
            guard let name = entry.text(of: "Key").flatMap({ PercentEncoding.decode($0) }),
                let size = entry.text(of: "Size").flatMap({ Int($0) }), size >= 0,
                let time = entry.text(of: "LastModified").flatMap(S3Time.date)
            else { throw .invalidAnswer("an object without key, size or time") }
            objects.append((name, size, time))
        }
        guard root.text(of: "IsTruncated") == "true" else { return }
        guard let token = root.text(of: "NextContinuationToken"), !token.isEmpty else {
            throw .invalidAnswer("more pages and no way to them")
        }
        next = token
    }
}

/// The answer to a listing of uploads in parts (`ListMultipartUploadsResult`).
struct S3Uploads {
    var uploads: [(name: String, id: String, begunAt: Date)] = []
    /// The name and id to continue after; nil at the end.
    var next: (name: String, id: String)?

    /// - Throws: ``ObjectStoreError`` with the code `invalidAnswer`.
    init(_ body: [UInt8]) throws(ObjectStoreError) {
        let root = try XMLElement.answer(body, "ListMultipartUploadsResult")
        for entry in root.children where entry.name == "Upload" {
            guard let name = entry.text(of: "Key").flatMap({ PercentEncoding.decode($0) }),
                let id = entry.text(of: "UploadId"), let time = entry.text(of: "Initiated").flatMap(S3Time.date)
            else { throw .invalidAnswer("an upload without key, id or time") }
            uploads.append((name, id, time))
        }
        guard root.text(of: "IsTruncated") == "true" else { return }
        guard let name = root.text(of: "NextKeyMarker").flatMap({ PercentEncoding.decode($0) }),
            let id = root.text(of: "NextUploadIdMarker"), !id.isEmpty
        else { throw .invalidAnswer("more pages and no way to them") }
        next = (name, id)
    }
}

/// Times in answers (ISO 8601, with or without fractions of a second).
enum S3Time {
    static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: .iso8601))
    }
}

extension XMLElement {
    /// The root of an answer.
    static func answer(_ body: [UInt8], _ name: String) throws(ObjectStoreError) -> XMLElement {
        let root: XMLElement
        do throws(XMLError) { root = try parse(body) } catch {
            throw ObjectStoreError(
                code: .invalidAnswer, message: "The store's answer is no XML. Check its address.", underlying: error)
        }
        guard root.name == name else { throw .invalidAnswer("\(root.name.prefix(60)) instead of \(name)") }
        return root
    }
}

extension ObjectStoreError {
    static func invalidAnswer(_ what: String) -> ObjectStoreError {
        ObjectStoreError(
            code: .invalidAnswer, message: "The store's answer has \(what). Check its address and that it is S3.")
    }
}
