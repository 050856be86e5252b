// SPDX-License-Identifier: MIT

import CommandLineArguments
import ObjectStore
import ParleyServer

/// `--objects` and `--objects-credentials`.
enum ServerObjects {
    private static let place = ValueOption<String>(
        "objects", placeholder: "URL",
        help:
            "Keep recordings in a bucket: s3://BUCKET/PREFIX?endpoint=URL&region=NAME (default: the folder HOME/recordings)"
    )
    private static let credentials = ValueOption<String>(
        "objects-credentials", placeholder: "FILE",
        help: "The bucket's access key in AWS' format, mode 0600; it is read again when the bucket refuses the key",
        completion: .files)

    static let options: [any CommandOption] = [place, credentials]

    /// The place of recordings that the options and settings name.
    ///
    /// - Throws: `UsageError` for an invalid address, or without credentials.
    static func objects(
        _ invocation: Invocation, _ settings: ServerConfiguration, _ environment: [String: String]
    ) throws(UsageError) -> ServerOptions.Objects {
        guard let text = invocation[place] else {
            guard !invocation.isGiven(credentials) else {
                throw invocation.error(english: "--objects-credentials needs --objects.")
            }
            return .folder
        }
        let configuration: S3Configuration
        do throws(ObjectStoreError) { configuration = try S3Configuration(text) } catch {
            throw invocation.error(english: "--objects: \(error.message)")
        }
        if let file = invocation[credentials] { return .bucket(configuration, .file(file)) }
        if let key = settings.text("objects_access_key"), let secret = settings.text("objects_secret_key") {
            return .bucket(configuration, .fixed(S3Credentials(accessKey: key, secretKey: secret)))
        }
        guard let source = S3CredentialSource.environment(environment) else {
            throw invocation.error(
                english:
                    "--objects needs --objects-credentials, the settings objects_access_key and objects_secret_key, or "
                    + "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.")
        }
        return .bucket(configuration, source)
    }
}
