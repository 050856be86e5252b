// SPDX-License-Identifier: MIT

public import AuthServer
public import Diagnostics
public import HTTPServer
public import Localization
public import Networking
public import ObjectStore

/// The settings of a server.
public struct ServerOptions: Sendable {
    /// The limits of connections.
    public struct Connections: Sendable, Hashable {
        /// The most connections at once; more wait in the system's queue.
        public var maximum = 1_000
        /// The most connections of one address; 0 for no limit. Behind a proxy there is no limit.
        public var perAddress = 100
    }

    /// The transport of mail.
    public enum Mail: Sendable {
        /// A maildir, for development.
        case folder(String)
        /// A mail server, with the sender's address.
        case server(SMTPTransport.Configuration, sender: EmailAddress)
    }

    /// The place of the recordings' sound.
    public enum Objects: Sendable {
        /// The folder `recordings` of the home.
        case folder
        /// A bucket of S3, which several servers may share, with the pieces of uploads that are not finished.
        case bucket(S3Configuration, S3CredentialSource)

        /// The bucket; nil for the folder.
        func bucket() throws -> (any ObjectStore)? {
            guard case .bucket(let configuration, let credentials) = self else { return nil }
            return try S3ObjectStore(configuration, credentials: credentials)
        }
    }

    /// The listener of the administration.
    public enum Administration: String, Sendable, Hashable, CaseIterable {
        /// There is none.
        case off
        /// The operator's endpoints, ``ServerOptions/metrics``.
        case `operator`
        /// The address that everybody reaches.
        case `public`
    }

    /// Gets a span of each request with a `traceparent`; nil for none.
    public var traces: TraceFile?
    /// The version that `GET /health` names.
    public var version = "unknown"
    /// The interface to listen on.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 takes a free one.
    public var port = 0
    /// Certificate and key; nil for plain HTTP, behind a proxy or on this machine.
    public var tls: HTTPServerConfiguration.TLS?
    /// The server's public address, without a slash at the end; nil for the one that it listens on.
    public var publicAddress: String?
    /// The folder of all of the server's data, or of what ``database`` does not hold.
    public var home: String
    /// The URL of a PostgreSQL database that holds all rows, and that several instances may share; nil for files in
    /// ``home``.
    public var database: String?
    /// The transport of mail.
    public var mail: Mail
    /// The place of the recordings' sound.
    public var objects = Objects.folder
    /// The addresses that browsers may be sent to after signing in, besides `parley:` and this machine.
    public var redirects: Set<String> = []
    /// The number of proxies before the server that write `X-Forwarded-For`.
    public var proxyCount = 0
    /// The limits.
    public var policy = AuthPolicy()
    /// The grid of answering times: requests for mail and wrong codes are answered a whole number of these steps after
    /// they arrived, so that the time reveals nothing of the work. Zero answers at once.
    public var answerStep: Duration = .milliseconds(25)
    /// Limits of the disk space for recordings.
    public var uploads = UploadPolicy()
    /// The most results of an account.
    public var maximumResults = 200_000
    /// The most bytes of an account's results together; 256 MiB.
    public var maximumResultBytes = 256 << 20
    /// The most tombstones of results that an account keeps; the oldest of more are deleted.
    public var rememberedDeletions = 10_000
    /// Limits of what the relay keeps for the devices of an account.
    public var sync = SyncPolicy()
    /// The most calls of an account in a minute, all at once or evenly; 0 for any number.
    public var callsPerAccountAndMinute = 1_200
    /// The most event streams about evaluations that an account has open at once; 32.
    public var evaluationStreamsPerAccount = 32
    /// The age in days at which recordings and their evaluations are deleted; 0 for never.
    public var retentionDays = 365
    /// The age in days at which audit events are deleted.
    public var auditDays = 90
    /// The most audit events that are stored; the oldest of more are deleted.
    public var maximumAuditEvents = 1_000_000
    /// The key that the instances of a server share; nil for a key of the home's own.
    public var rootKey: ServerRootKey?
    /// The number of evaluations at once; 0 leaves them to ``EvaluationWorkers`` in other processes.
    public var workers = 1
    /// The limits of a process that evaluates.
    public var evaluationLimits = EvaluationLimits(memoryBytes: 2 << 30, cpuSeconds: 240)
    /// The time in which `/readyz` says that the server drains while it still serves, so that no balancer sends it more.
    public var drainTime: Duration = .zero
    /// The longest time that requests, mails and evaluations may take after that.
    public var stopTime: Duration = .seconds(10)
    /// The time limit for evaluating one recording.
    public var evaluationTimeLimit: Duration = .seconds(120)
    /// The limits of connections.
    public var connections = Connections()
    /// The most mails in the queue.
    public var mailQueue = 1_000
    /// The free space on the disk below which the server is not ready, in bytes.
    public var minimumFreeBytes = 64 << 20
    /// The interface and the port of the operator's endpoints; port 0 takes a free one, and nil turns the endpoints
    /// off.
    public var metrics: (host: String, port: Int)?
    /// The listener of the administration, which a service token opens.
    public var administration = Administration.off
    /// The most calls of the administration in a minute from one network; 0 for any number.
    public var administrationCallsPerMinute = 600
    /// The folder of the operator's own words for mails; nil for the built-in words.
    public var mailTemplates: String?
    /// The catalogues of sign-in pages and mails; without any they are in English.
    public var catalogues = CatalogueFinder(ofProgram: "parley-server")
    /// The operator's hook; nil for none.
    public var hook: HookOptions?
    /// The time limit for asking the hook about a sign-up, and for telling it of a sign-in.
    public var hookTimeLimit: Duration = .seconds(2)
    /// Evaluates recordings; the default fails with a reason.
    public var evaluator: any SoundEvaluator = NoEvaluator()
    /// The time of day.
    public var clock = AuthClock.system
    /// The elapsed time, independent of changes to the time of day.
    var monotonicClock = AuthClock.monotonic
    /// False for an instance that neither sends nor hears hints: its looks at the rows alone find changes. For tests.
    var usesHints = true

    /// A server that keeps everything in a folder.
    public init(home: String, mail: Mail) {
        self.home = home
        self.mail = mail
    }
}
