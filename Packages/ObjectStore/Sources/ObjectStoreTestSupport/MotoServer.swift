// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Glibc
import Networking
public import ObjectStore
import TestKit

/// A server of S3, moto from PyPI, for as long as this value lives. It checks signatures and rights as Amazon does.
public final class MotoServer: Sendable {
    private static let environment = URL(filePath: #filePath).appending(path: "../../../../../.venv-peers")
        .standardized.path
    private static let python = environment + "/bin/python"
    /// False without moto in `.venv-peers`; `Scripts/test-peers` makes it.
    public static let isInstalled =
        (try? FileManager.default.contentsOfDirectory(atPath: environment + "/lib"))?
        .contains { access("\(environment)/lib/\($0)/site-packages/moto", F_OK) == 0 } ?? false
    /// The bucket that exists.
    public static let bucket = "parley-test"

    /// The server did not start.
    public struct NotStarted: Error {}

    /// The address.
    public let endpoint: URL
    /// A user who may do everything in every bucket.
    public let owner: S3Credentials
    /// A user who may do nothing.
    public let stranger: S3Credentials
    /// A user who may only read and list.
    public let reader: S3Credentials
    /// A user who may do what objects need, and neither list nor discard uploads in parts.
    public let writer: S3Credentials
    /// A user who may do that, and list uploads in parts.
    public let lister: S3Credentials
    private let process: ChildProcess

    // The users are made before signatures are checked. A wrong signature is refused from then on, so that no test
    // passes by chance.
    private static let script = """
        import json, sys, boto3, requests
        from moto.server import ThreadedMotoServer
        from moto.s3.exceptions import NoSuchUpload
        from moto.s3.models import S3Backend
        checks = sys.argv[1] == "checked"
        def known(call):
            # moto 5.2.5 answers 500 where Amazon says NoSuchUpload.
            def checked(self, bucket_name, multipart_id, *rest, **more):
                if multipart_id not in self.get_bucket(bucket_name).multiparts:
                    raise NoSuchUpload(upload_id=multipart_id)
                return call(self, bucket_name, multipart_id, *rest, **more)
            return checked
        for name in ["upload_part", "complete_multipart_upload"]:
            setattr(S3Backend, name, known(getattr(S3Backend, name)))
        server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        server.start()
        host, port = server.get_host_and_port()
        address = f"http://127.0.0.1:{port}"
        def client(name):
            return boto3.client(name, region_name="us-east-1", endpoint_url=address, aws_access_key_id="a",
                                aws_secret_access_key="b")
        client("s3").create_bucket(Bucket=sys.argv[2])
        iam = client("iam")
        def user(name, actions):
            iam.create_user(UserName=name)
            if actions:
                iam.put_user_policy(UserName=name, PolicyName="p", PolicyDocument=json.dumps({
                    "Version": "2012-10-17",
                    "Statement": [{"Effect": "Allow", "Action": actions, "Resource": "*"}]}))
            key = iam.create_access_key(UserName=name)["AccessKey"]
            return key["AccessKeyId"] + " " + key["SecretAccessKey"]
        objects = ["s3:ListBucket", "s3:GetObject", "s3:PutObject", "s3:DeleteObject"]
        users = [user("owner", ["s3:*"]), user("stranger", []), user("reader", ["s3:Get*", "s3:List*", "s3:Head*"]),
                 user("writer", objects), user("lister", objects + ["s3:ListBucketMultipartUploads"])]
        if checks:
            requests.post(address + "/moto-api/reset-auth", data=b"0").raise_for_status()
        print(address, *users, flush=True)
        sys.stdin.read()
        server.stop()
        """

    /// Starts a server.
    ///
    /// - Parameter checksSignatures: False to take every request, which presigned addresses need: moto looks for the
    ///   signature in the header only.
    public init(checksSignatures: Bool = true) throws {
        process = try ChildProcess(
            Self.python, ["-c", Self.script, checksSignatures ? "checked" : "open", Self.bucket], input: .pipe,
            errors: .discarded)
        let words = (process.line() ?? "").split(separator: " ").map(String.init)
        guard words.count == 11, let endpoint = URL(string: words[0]) else { throw NotStarted() }
        self.endpoint = endpoint
        owner = S3Credentials(accessKey: words[1], secretKey: words[2])
        stranger = S3Credentials(accessKey: words[3], secretKey: words[4])
        reader = S3Credentials(accessKey: words[5], secretKey: words[6])
        writer = S3Credentials(accessKey: words[7], secretKey: words[8])
        lister = S3Credentials(accessKey: words[9], secretKey: words[10])
    }

    deinit {
        process.closeInput()
        process.wait()
    }

    /// The bucket, below a prefix.
    public func configuration(prefix: String? = nil) throws -> S3Configuration {
        var configuration = try S3Configuration(
            bucket: Self.bucket, endpoint: endpoint, prefix: prefix.map { try ObjectKey($0) })
        configuration.connections.proxy = .none
        configuration.connections.timeouts = HTTPTimeouts(connect: nil, firstByte: nil, idle: nil)
        return configuration
    }

    /// The bucket as its owner sees it.
    public func store(prefix: String? = nil) throws -> S3ObjectStore {
        try S3ObjectStore(configuration(prefix: prefix), credentials: .fixed(owner))
    }
}
