// SPDX-License-Identifier: MIT

public import AuthServer
public import HTTPServer
public import Networking

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

    /// The interface to listen on.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 takes a free one.
    public var port = 0
    /// Certificate and key; nil for plain HTTP, behind a proxy or on this machine.
    public var tls: HTTPServerConfiguration.TLS?
    /// The server's public address, without a slash at the end; nil for the one that it listens on.
    public var publicAddress: String?
    /// The folder of all of the server's data.
    public var home: String
    /// The transport of mail.
    public var mail: Mail
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
    /// The age in days at which recordings and their evaluations are deleted; 0 for never.
    public var retentionDays = 365
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
    /// Evaluates recordings; the default fails with a reason.
    public var evaluator: any SoundEvaluator = NoEvaluator()
    /// The time of day.
    public var clock = AuthClock.system
    /// The elapsed time, independent of changes to the time of day.
    var monotonicClock = AuthClock.monotonic

    /// A server that keeps everything in a folder.
    public init(home: String, mail: Mail) {
        self.home = home
        self.mail = mail
    }
}
