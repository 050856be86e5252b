// SPDX-License-Identifier: MIT

/// What `AudioDoctor` found about one device in one direction.
public struct AudioDiagnosis: Sendable, Hashable {
    /// One thing that is wrong, and what to do.
    public struct Problem: Sendable, Hashable {
        /// The kind of problem. More kinds may come: match with a default.
        public struct Code: RawRepresentable, Sendable, Hashable {
            /// The stable name, also used in JSON output.
            public let rawValue: String

            /// Makes a code from its stable name.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// There is no such device.
            public static let notFound = Code(rawValue: "notFound")
            /// Its card is not there now.
            public static let unplugged = Code(rawValue: "unplugged")
            /// Other programs hold it; `AudioDiagnosis.holders` says which.
            public static let busy = Code(rawValue: "busy")
            /// This user may not open it.
            public static let permission = Code(rawValue: "permission")
            /// It does not do the rate, the channels or the sample formats that are asked for.
            public static let wrongFormat = Code(rawValue: "wrongFormat")
            /// A switch of its mixer is off.
            public static let muted = Code(rawValue: "muted")
            /// A volume of its mixer is at its lowest.
            public static let silent = Code(rawValue: "silent")
            /// It needs a sound server, and none answers.
            public static let noSoundServer = Code(rawValue: "noSoundServer")
            /// Nothing is in its sockets.
            public static let nothingPluggedIn = Code(rawValue: "nothingPluggedIn")
            /// It cannot be opened for another reason; the sentence has the system's words.
            public static let other = Code(rawValue: "other")
        }

        /// The kind of problem.
        public let code: Code
        /// One or two sentences for a person: what is wrong, and what to do.
        public let sentence: String

        /// Makes a problem.
        public init(_ code: Code, _ sentence: String) {
            self.code = code
            self.sentence = sentence
        }
    }

    /// A program that holds a device.
    public struct Holder: Sendable, Hashable {
        /// Its process.
        public let process: Int
        /// Its name, as the kernel knows it: at most 15 bytes; "?" when it cannot be told.
        public let name: String

        /// Makes a holder.
        public init(process: Int, name: String) {
            self.process = process
            self.name = name
        }
    }

    /// The device's name.
    public let device: String
    /// The direction looked at.
    public let direction: AudioDirection
    /// What is wrong, the reason for most of the rest first; empty when sound should flow.
    public let problems: [Problem]
    /// The programs that hold the device, when it is busy and they can be told. Other users' programs are visible to
    /// root only.
    public let holders: [Holder]
    /// What the device can do; nil when it could not be opened.
    public let capabilities: AudioCapabilities?
    /// True if a sound server answers.
    public let hasSoundServer: Bool

    /// Nothing is wrong.
    public var isHealthy: Bool { problems.isEmpty }
}
