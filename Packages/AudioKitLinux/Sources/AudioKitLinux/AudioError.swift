// SPDX-License-Identifier: MIT

/// The reason that a device or a sound file cannot be used, with advice.
public struct AudioError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. More kinds may be added: match with a default.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable code, also used in JSON output.
        public let rawValue: String

        /// Makes a code from its stable text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No device of that name, or no sound card at all.
        public static let deviceNotFound = Code(rawValue: "deviceNotFound")
        /// Another program or stream holds the device.
        public static let deviceBusy = Code(rawValue: "deviceBusy")
        /// The user may not open the device.
        public static let permission = Code(rawValue: "permission")
        /// The device was removed while it was in use.
        public static let unplugged = Code(rawValue: "unplugged")
        /// The device is replaced by another one, at the request of `TransportControl.replaceDevice(_:)`.
        public static let deviceChanged = Code(rawValue: "deviceChanged")
        /// The device delivers or takes nothing any more, without an error of its own.
        public static let stalled = Code(rawValue: "stalled")
        /// The device, file or resampler cannot do this rate, number of channels or encoding.
        public static let formatNotSupported = Code(rawValue: "formatNotSupported")
        /// No file of that name, or no folder to write it to.
        public static let fileNotFound = Code(rawValue: "fileNotFound")
        /// The file exists and cannot be read: permission, a folder, a pipe, a device.
        public static let fileNotReadable = Code(rawValue: "fileNotReadable")
        /// The file cannot be written: permission, a folder, a pipe, a read-only disk.
        public static let fileNotWritable = Code(rawValue: "fileNotWritable")
        /// A file of that name exists and may not be replaced.
        public static let fileExists = Code(rawValue: "fileExists")
        /// The file is not in a sound format that libsndfile knows.
        public static let notASoundFile = Code(rawValue: "notASoundFile")
        /// The file is a sound file whose beginning is damaged or cut short.
        public static let truncatedFile = Code(rawValue: "truncatedFile")
        /// The file has no sound in it.
        public static let emptyFile = Code(rawValue: "emptyFile")
        /// libsndfile is not installed; the message names its package.
        public static let libraryMissing = Code(rawValue: "libraryMissing")
        /// The disk, or the user's quota on it, is full.
        public static let diskFull = Code(rawValue: "diskFull")
        /// The sound is longer than the caller's limit.
        public static let tooLong = Code(rawValue: "tooLong")
        /// The stream or file was closed before.
        public static let closed = Code(rawValue: "closed")
        /// Anything else that the system reports while reading or writing.
        public static let io = Code(rawValue: "io")
    }

    /// The kind of failure.
    public let code: Code
    /// One or two sentences for a person: what happened, and what to do.
    public let message: String
    /// The message of the library or the system; nil if there was no message.
    public let underlying: String?

    /// Makes an error.
    public init(_ code: Code, _ message: String, underlying: String? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The message, with the system's own text in brackets.
    public var description: String {
        guard let underlying, !underlying.isEmpty else { return message }
        return "\(message) [\(underlying)]"
    }
}
