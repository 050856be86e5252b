// SPDX-License-Identifier: MIT

/// The name of the program, its limits, and the way to convert sound.
public struct WyomingServerConfiguration: Sendable {
    /// The program as `info` describes it.
    public struct Program: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The version.
        public var version: String
        /// A description for people.
        public var description: String
        /// The address of its page.
        public var url: String

        /// A program.
        public init(name: String, version: String, description: String, url: String) {
            self.name = name
            self.version = version
            self.description = description
            self.url = url
        }
    }

    /// The limits that keep one client from taking what others need.
    public struct Limits: Sendable, Hashable {
        /// The most clients at once; one more gets the error `busy`.
        public var clients = 32
        /// The longest utterance.
        public var utterance: Duration = .seconds(60)
        /// The most UTF-8 bytes of a text to speak.
        public var textBytes = 64 << 10
        /// The longest time without a byte from a client that is asked for nothing.
        public var idle: Duration = .seconds(120)
        /// The longest time in which a client takes nothing of what is sent to it.
        public var stall: Duration = .seconds(30)
        /// The longest recognition, from the end of the sound, the wait for other clients included.
        public var recognition: Duration = .seconds(60)
        /// The most bytes that wait for a client; the engine waits when there are more.
        public var outputBytes = 256 << 10
        /// The most recognitions at once.
        public var recognitions = 1
        /// The most texts that are spoken at once.
        public var syntheses = 2
        /// The most streams at once in which a wake word is looked for, with a detector each.
        public var wakeStreams = 4

        /// The defaults, for engines of this machine.
        public init() {}
    }

    /// Changes the rate of one stream of mono sound, part by part.
    public struct RateConverter {
        /// The samples that a part makes available.
        public var process: ([Float]) -> [Float]
        /// The rest, at the end of the stream.
        public var finish: () -> [Float]

        /// A converter.
        public init(process: @escaping ([Float]) -> [Float], finish: @escaping () -> [Float]) {
            self.process = process
            self.finish = finish
        }
    }

    /// The program.
    public var program: Program
    /// The limits.
    public var limits = Limits()
    /// Makes a converter from one rate to another, in hertz; nil refuses sound in another rate than the engine's.
    public var makeRateConverter: (@Sendable (_ from: Int, _ to: Int) throws -> RateConverter)?
    /// The clock of the limits.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The defaults for a program.
    public init(_ program: Program) { self.program = program }
}
