// SPDX-License-Identifier: MIT

public import AuthServer
public import HTTPServer
public import Networking

/// The settings of a server.
public struct ServerOptions: Sendable {
    /// The limits of connections.
    public struct Connections: Sendable, Hashable {
        /// At once; more wait in the system's queue.
        public var maximum = 1_000
        /// Of one address; 0 for no limit. Behind a proxy there is none.
        public var perAddress = 100
    }

    /// The way that mail is sent.
    public enum Mail: Sendable {
        /// Into a maildir, for development.
        case folder(String)
        /// To a mail server, from an address.
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
    /// The folder of everything that the server keeps.
    public var home: String
    /// The way that mail is sent.
    public var mail: Mail
    /// The addresses that browsers may be sent to after signing in, besides `parley:` and this machine.
    public var redirects: Set<String> = []
    /// The number of proxies before the server that write `X-Forwarded-For`.
    public var proxyCount = 0
    /// The limits.
    public var policy = AuthPolicy()
    /// Requests for mail and wrong codes are answered a whole number of these after they came: what the work behind them took
    /// is nobody's business. Zero answers at once.
    public var answerStep: Duration = .milliseconds(25)
    /// Limits of the disk space for recordings.
    public var uploads = UploadPolicy()
    /// The most results of an account.
    public var maximumResults = 200_000
    /// The most bytes of an account's results together; 256 MiB.
    public var maximumResultBytes = 256 << 20
    /// The most tombstones of results that an account keeps; of more, the oldest are deleted.
    public var rememberedDeletions = 10_000
    /// The most calls of an account in a minute, all at once or evenly; 0 for any number.
    public var callsPerAccountAndMinute = 1_200
    /// After how many days recordings and their evaluations end; 0 for never.
    public var retentionDays = 365
    /// The longest evaluation of one recording.
    public var evaluationTimeLimit: Duration = .seconds(120)
    /// The limits of connections.
    public var connections = Connections()
    /// The most mails in the queue.
    public var mailQueue = 1_000
    /// With less space on the disk, the server is not ready.
    public var minimumFreeBytes = 64 << 20
    /// The interface and the port of the operator's endpoints; 0 takes a free port, and without a port there are none.
    public var metrics: (host: String, port: Int)?
    /// Evaluates recordings; the default fails and says so.
    public var evaluator: any SoundEvaluator = NoEvaluator()
    /// Tells the time.
    public var clock = AuthClock.system
    /// Tells how much time has passed, whatever is done to the time of day.
    var monotonicClock = AuthClock.monotonic

    /// A server that keeps everything in a folder.
    public init(home: String, mail: Mail) {
        self.home = home
        self.mail = mail
    }
}
