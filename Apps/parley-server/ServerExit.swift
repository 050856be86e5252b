// SPDX-License-Identifier: MIT

import AuthServer
import CrashReports
import Glibc
import HTTPServer
import Networking
import ParleyServer

/// The exit codes, the same as those of `parley`. Every exit code is decided here.
enum ServerExit: Int32 {
    case done = 0
    /// The command line or the configuration has a mistake.
    case usage = 2
    /// The item that the command names does not exist.
    case refused = 3
    /// The port is taken, or the address is not this machine's.
    case network = 5
    /// A file, a database or the home cannot be used.
    case data = 6

    /// The exit code for an error that reached the top.
    init(for error: any Error) {
        switch error {
        case is SettingError, is MailTemplateError, ServerSetupError.noOperatorListener: self = .usage
        case let error as AuthServerError: self = error.code == .validationFailed ? .usage : .refused
        case let error as CrashReportError: self = error.code == .notFound ? .refused : .data
        case is NoSuchCue, is AdministrationError: self = .refused
        case let error as HTTPServerError:
            self = [.addressInUse, .addressUnavailable].contains(error.code) ? .network : .data
        case let error as NetworkError:
            self = [.invalidRequest, .insecure].contains(error.code) ? .usage : .network
        default: self = .data
        }
    }
}

/// A signal cancelled a command. The exit code is 128 and the signal's number, as in a shell.
struct Interruption: Error {
    let signal: Int32
}

/// Standard output takes no more; the error number.
struct OutputError: Error, CustomStringConvertible {
    let cause: Int32

    var description: String { "The output cannot be written: \(String(cString: strerror(cause)))." }
}

/// The catalogue has no cue of this id.
struct NoSuchCue: Error, CustomStringConvertible {
    let id: String

    var description: String { "there is no cue \(id)" }
}
