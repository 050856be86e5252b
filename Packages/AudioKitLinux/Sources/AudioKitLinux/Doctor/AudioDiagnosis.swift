// SPDX-License-Identifier: MIT

/// The findings of `AudioDoctor` about one device in one direction.
public struct AudioDiagnosis: Sendable, Hashable {
    /// One problem, with advice.
    public struct Problem: Sendable, Hashable {
        /// The kind of problem. More kinds may be added: match with a default.
        public struct Code: RawRepresentable, Sendable, Hashable {
            /// The stable code, also used in JSON output.
            public let rawValue: String

            /// Makes a code from its stable text.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The device does not exist.
            public static let notFound = Code(rawValue: "notFound")
            /// Its card is missing at present.
            public static let unplugged = Code(rawValue: "unplugged")
            /// Other programs hold it; `AudioDiagnosis.holders` lists them.
            public static let busy = Code(rawValue: "busy")
            /// This user may not open it.
            public static let permission = Code(rawValue: "permission")
            /// It does not support the requested rate, channels or sample formats.
            public static let wrongFormat = Code(rawValue: "wrongFormat")
            /// A switch of its mixer is off.
            public static let muted = Code(rawValue: "muted")
            /// A volume of its mixer is at its lowest.
            public static let silent = Code(rawValue: "silent")
            /// It needs a sound server, and no server answers.
            public static let noSoundServer = Code(rawValue: "noSoundServer")
            /// Its sockets are all empty.
            public static let nothingPluggedIn = Code(rawValue: "nothingPluggedIn")
            /// It cannot be opened for another reason; the sentence has the system's message.
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
        /// The process's id.
        public let process: Int
        /// Its name in the kernel: at most 15 bytes; "?" if it is unknown.
        public let name: String

        /// Makes a holder.
        public init(process: Int, name: String) {
            self.process = process
            self.name = name
        }
    }

    /// The device's name.
    public let device: String
    /// The examined direction.
    public let direction: AudioDirection
    /// The problems, the most fundamental first; empty if sound should flow.
    public let problems: [Problem]
    /// The programs that hold the device, if it is busy and they are visible. Other users' programs are visible to root
    /// only.
    public let holders: [Holder]
    /// The device's capabilities; nil if it could not be opened.
    public let capabilities: AudioCapabilities?
    /// True if a sound server answers.
    public let hasSoundServer: Bool

    /// True if there are no problems.
    public var isHealthy: Bool { problems.isEmpty }
}
