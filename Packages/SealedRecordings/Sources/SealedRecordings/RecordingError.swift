// SPDX-License-Identifier: MIT

public import AudioKitLinux
import Security

/// A failure to make, read or export a recording, and the remedy.
public struct RecordingError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. More kinds may be added: match with a default.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name.
        public let rawValue: String

        /// Makes a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file, or its folder, does not exist.
        public static let notFound = Code(rawValue: "notFound")
        /// A file of that name exists already.
        public static let alreadyExists = Code(rawValue: "alreadyExists")
        /// The key is a different one, or the file is another recording's.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The file differs from what was written.
        public static let damaged = Code(rawValue: "damaged")
        /// A newer program wrote the file.
        public static let newer = Code(rawValue: "newer")
        /// The recording ended before there was any sound to keep.
        public static let empty = Code(rawValue: "empty")
        /// The file system has less room than a recording needs to begin.
        public static let tooLittleSpace = Code(rawValue: "tooLittleSpace")
        /// The disk, the quota or the file size limit was used up while writing.
        public static let diskFull = Code(rawValue: "diskFull")
        /// The system denies access, or others could read the file.
        public static let permission = Code(rawValue: "permission")
        /// The encoding cannot hold the format.
        public static let formatNotSupported = Code(rawValue: "formatNotSupported")
        /// The microphone cannot be used; `device` has the reason.
        public static let device = Code(rawValue: "device")
        /// Anything else that the system reports.
        public static let inputOutput = Code(rawValue: "inputOutput")
    }

    /// The kind of failure.
    public let code: Code
    /// One or two sentences for a person: the failure, and the remedy.
    public let message: String
    /// The error of the microphone's side, for `device`.
    public let device: AudioError?

    /// Makes an error.
    public init(_ code: Code, _ message: String, device: AudioError? = nil) {
        self.code = code
        self.message = message
        self.device = device
    }

    /// The message.
    public var description: String { message }

    /// Translates an error of the packages below; any other is `inputOutput`.
    init(translating error: any Error) {
        switch error {
        case let error as RecordingError: self = error
        case let error as SecurityError: self.init(Self.code(error.code), error.message)
        case let error as AudioError: self.init(Self.code(error.code), error.message)
        default: self.init(.inputOutput, "\(error)")
        }
    }

    /// The error for the recorder of AudioKitLinux, whose destination failed.
    var audioError: AudioError {
        let codes: [Code: AudioError.Code] = [
            .alreadyExists: .fileExists, .notFound: .fileNotFound, .permission: .fileNotWritable, .diskFull: .diskFull,
            .formatNotSupported: .formatNotSupported,
        ]
        return AudioError(codes[code] ?? .io, message)
    }

    private static func code(_ code: SecurityError.Code) -> Code {
        let codes: [SecurityError.Code: Code] = [
            .wrongKey: .wrongKey, .damaged: .damaged, .authenticationFailed: .damaged, .incomplete: .empty,
            .newer: .newer, .notFound: .notFound, .alreadyExists: .alreadyExists, .permission: .permission,
            .insecureFile: .permission, .diskFull: .diskFull,
        ]
        return codes[code] ?? .inputOutput
    }

    private static func code(_ code: AudioError.Code) -> Code {
        let codes: [AudioError.Code: Code] = [
            .formatNotSupported: .formatNotSupported, .fileNotFound: .notFound, .fileExists: .alreadyExists,
            .fileNotReadable: .permission, .fileNotWritable: .permission, .diskFull: .diskFull, .emptyFile: .empty,
            .notASoundFile: .damaged, .truncatedFile: .damaged,
        ]
        return codes[code] ?? .inputOutput
    }
}

/// Runs `body` and translates the errors of the packages below.
func recordingErrors<Value>(_ body: () throws -> Value) throws(RecordingError) -> Value {
    do { return try body() } catch { throw RecordingError(translating: error) }
}

/// Runs `body` and translates the errors of the packages below.
func recordingErrors<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> sending Value
) async throws(RecordingError) -> sending Value {
    do { return try await body() } catch { throw RecordingError(translating: error) }
}
