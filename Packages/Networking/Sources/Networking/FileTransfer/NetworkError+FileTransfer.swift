// SPDX-License-Identifier: MIT

import CCurl

extension NetworkError.Code {
    /// The server's SSH key is unknown, or another one than the known one.
    public static let hostKey = Self(rawValue: "hostKey")
    /// The server has no such file or folder.
    public static let remoteFileMissing = Self(rawValue: "remoteFileMissing")
    /// The user may not do this at the server.
    public static let remoteAccessDenied = Self(rawValue: "remoteAccessDenied")
    /// The server's disk is full, or the user's part of it.
    public static let remoteDiskFull = Self(rawValue: "remoteDiskFull")
    /// The server says no more than that it failed (SSH_FX_FAILURE): the name may exist, or the disk may be full.
    public static let remoteFailure = Self(rawValue: "remoteFailure")
}

extension NetworkError {
    /// Translates libcurl's result of an exchange over SFTP.
    init(
        files result: CURLcode, on easy: CurlEasy, _ exchange: FileExchange,
        _ configuration: FileTransferClient.Configuration
    ) {
        let underlying = CurlResult(rawValue: result.rawValue)
        if let key = exchange.refusedKey {
            self.init(hostKey: key, configuration, underlying)
        } else if exchange.isTooLarge {
            self = .responseTooLarge(limit: exchange.received.count)
        } else if exchange.isOver {
            self = .timeout(.idleTimeout, "The server moved no byte", configuration.idleTimeout)
        } else if result == CURLE_SSH, exchange.upload != nil {
            self.init(
                code: .remoteFailure,
                message: "The server did not take all of the file. Its disk may be full; try again if not.",
                underlying: underlying)
        } else if let (code, advice) = Self.meaning(ofFiles: result, detail: easy.message(for: result)) {
            self.init(code: code, message: "\(easy.message(for: result)). \(advice)", underlying: underlying)
        } else {
            self.init(curl: result, on: easy, timeouts: nil)
        }
    }

    private init(
        hostKey key: FileExchange.HostKey, _ configuration: FileTransferClient.Configuration, _ underlying: CurlResult
    ) {
        let (host, port, file) = (configuration.host, configuration.port, configuration.knownHostsFile)
        let name = port == 22 ? host : "[\(host)]:\(port)"
        let fingerprint = key.fingerprint.map { ", \($0)," } ?? ""
        self.init(
            code: .hostKey,
            message: key.isChanged
                ? """
                \(host) has another key\(fingerprint) than \(file) says, so nothing was sent: the connection may be \
                intercepted. If its operator has replaced the key, remove the old one by \
                `ssh-keygen -R '\(name)' -f \(file)`.
                """
                : """
                The key of \(host)\(fingerprint) is not in \(file). Compare it with what the server's operator says; \
                `ssh-keyscan -p \(port) \(host) | tee -a \(file) | ssh-keygen -lf -` adds it and shows it.
                """,
            underlying: underlying)
    }

    private static func meaning(ofFiles result: CURLcode, detail: String) -> (Code, String)? {
        switch result {
        case CURLE_LOGIN_DENIED:
            (.unauthorized, "Check the user's name, and that the server knows the key or the password.")
        case CURLE_REMOTE_FILE_NOT_FOUND: (.remoteFileMissing, "Check the path.")
        case CURLE_REMOTE_ACCESS_DENIED: (.remoteAccessDenied, "Check the permissions at the server.")
        case CURLE_REMOTE_DISK_FULL: (.remoteDiskFull, "Free some room at the server.")
        // A command's answer is in libcurl's words for it alone.
        case CURLE_QUOTE_ERROR where detail.hasSuffix("No such file or directory"):
            (.remoteFileMissing, "Check the path.")
        case CURLE_QUOTE_ERROR where detail.hasSuffix("Permission denied"):
            (.remoteAccessDenied, "Check the permissions at the server.")
        case CURLE_QUOTE_ERROR, CURLE_REMOTE_FILE_EXISTS, CURLE_UPLOAD_FAILED:
            (.remoteFailure, "The name may exist, or the disk may be full or read-only.")
        case CURLE_SSH, CURLE_FAILED_INIT: (.connectionLost, "Try again.")
        default: nil
        }
    }
}
