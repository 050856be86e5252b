// SPDX-License-Identifier: MIT

public import AuthServer
public import HTTPServer
public import Networking

/// How a server is set up.
public struct ServerOptions: Sendable {
    /// How many connections there may be.
    public struct Connections: Sendable, Hashable {
        /// At once; more wait in the system's queue.
        public var maximum = 1_000
        /// Of one address; 0 for no limit. Behind a proxy there is none.
        public var perAddress = 100
    }

    /// Where mail goes.
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
    /// Where the server is reached from outside, without a slash at the end; nil for the address that it listens on.
    public var publicAddress: String?
    /// The folder of everything that the server keeps.
    public var home: String
    /// Where mail goes.
    public var mail: Mail
    /// Where browsers may be sent after signing in, besides `parley:` and this machine.
    public var redirects: Set<String> = []
    /// How many proxies stand before the server and write `X-Forwarded-For`.
    public var proxyCount = 0
    /// The limits.
    public var policy = AuthPolicy()
    /// Requests for mail and wrong codes are answered a whole number of these after they came: what the work behind them took
    /// is nobody's business. Zero answers at once.
    public var answerStep: Duration = .milliseconds(25)
    /// How much of the disk recordings may take.
    public var uploads = UploadPolicy()
    /// The most results of an account.
    public var maximumResults = 200_000
    /// The most bytes of an account's results together; 256 MiB.
    public var maximumResultBytes = 256 << 20
    /// How many deleted results of an account are remembered; of more, the oldest are forgotten.
    public var rememberedDeletions = 10_000
    /// How many calls an account may make in a minute, all at once or evenly; 0 for any number.
    public var callsPerAccountAndMinute = 1_200
    /// After how many days recordings and their evaluations end; 0 for never.
    public var retentionDays = 365
    /// How long listening to one recording may take.
    public var evaluationTimeLimit: Duration = .seconds(120)
    /// How many connections there may be.
    public var connections = Connections()
    /// How many mails may wait.
    public var mailQueue = 1_000
    /// With less space on the disk, the server is not ready.
    public var minimumFreeBytes = 64 << 20
    /// The interface and the port of the operator's endpoints; 0 takes a free port, and without a port there are none.
    public var metrics: (host: String, port: Int)?
    /// What listens to recordings; without one, each evaluation fails and says so.
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
