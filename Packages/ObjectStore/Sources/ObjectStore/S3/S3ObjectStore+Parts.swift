// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Networking
import XMLTree

extension S3ObjectStore {
    /// CreateMultipartUpload.
    public func beginParts(of key: ObjectKey) async throws -> ObjectUpload {
        let body = try await client.answer(
            S3Client.Call(
                action: "s3:PutObject", method: .post, name: client.address.name(of: key),
                query: [(name: "uploads", value: "")], content: .bytes([]), key: key))
        guard let id = try XMLElement.answer(body, "InitiateMultipartUploadResult").text(of: "UploadId"), !id.isEmpty
        else { throw ObjectStoreError.invalidAnswer("no id of the upload") }
        return ObjectUpload(key: key, id: id)
    }

    /// UploadPart.
    public func putPart(
        _ number: Int, _ content: ObjectContent, of upload: ObjectUpload
    ) async throws -> ObjectPart {
        guard ObjectUpload.partNumbers.contains(number) else {
            throw ObjectStoreError.invalidParts("A part has a number from 1 to 10,000.")
        }
        let response = try await client.send(
            S3Client.Call(
                action: "s3:PutObject", method: .put, name: client.address.name(of: upload.key),
                query: [(name: "partNumber", value: "\(number)"), (name: "uploadId", value: upload.id)],
                content: content, key: upload.key))
        _ = try? await response.body.collect(upTo: S3Client.answerLimit)
        guard let tag = response.headers["ETag"] else { throw ObjectStoreError.invalidAnswer("no tag of the part") }
        return ObjectPart(number: number, tag: tag)
    }

    /// CompleteMultipartUpload, which may fail after it has begun its answer with 200.
    public func complete(_ upload: ObjectUpload, _ parts: [ObjectPart]) async throws {
        guard !parts.isEmpty, zip(parts, parts.dropFirst()).allSatisfy({ $0.number < $1.number }) else {
            throw ObjectStoreError.invalidParts("List at least one part, in the order of their numbers.")
        }
        let list = parts.map {
            "<Part><PartNumber>\($0.number)</PartNumber><ETag>\(Self.escaped($0.tag))</ETag></Part>"
        }
        let text =
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\(list.joined())"
            + "</CompleteMultipartUpload>"
        let body = try await client.answer(
            S3Client.Call(
                action: "s3:PutObject", method: .post, name: client.address.name(of: upload.key),
                query: [(name: "uploadId", value: upload.id)], content: .bytes(Array(text.utf8)), key: upload.key))
        if (try? XMLElement.answer(body, "CompleteMultipartUploadResult")) != nil { return }
        throw S3Refusal(status: 500, body: body)
            .error(action: "s3:PutObject", key: upload.key, bucket: client.bucket)
    }

    /// AbortMultipartUpload.
    public func discard(_ upload: ObjectUpload) async throws {
        do {
            _ = try await client.answer(
                S3Client.Call(
                    action: "s3:AbortMultipartUpload", method: .delete, name: client.address.name(of: upload.key),
                    query: [(name: "uploadId", value: upload.id)], key: upload.key))
        } catch let error as ObjectStoreError where [.noSuchUpload, .notFound].contains(error.code) {}
    }

    /// ListMultipartUploads and AbortMultipartUpload.
    public func removeUnfinished(prefix: String, before time: Date) async throws -> Int {
        var count = 0
        var marker: (name: String, id: String)?
        repeat {
            try Task.checkCancellation()
            var query = [
                (name: "uploads", value: ""), (name: "encoding-type", value: "url"),
                (name: "prefix", value: client.address.name(ofPrefix: prefix)),
            ]
            if let marker {
                query += [(name: "key-marker", value: marker.name), (name: "upload-id-marker", value: marker.id)]
            }
            let page = try S3Uploads(
                await client.answer(
                    S3Client.Call(action: "s3:ListBucketMultipartUploads", method: .get, query: query)))
            for upload in page.uploads where upload.begunAt < time {
                guard let key = client.address.key(of: upload.name) else { continue }
                try await discard(ObjectUpload(key: key, id: upload.id))
                count += 1
            }
            marker = page.next
        } while marker != nil
        return count
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
