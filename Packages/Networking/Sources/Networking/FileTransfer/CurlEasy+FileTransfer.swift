// SPDX-License-Identifier: MIT

import CCurl
import Glibc

extension CurlEasy {
    /// Sets everything of one exchange over SFTP. The exchange must outlive the handle's use.
    ///
    /// - Throws: ``NetworkError`` with the code `file` if a private key cannot be read.
    func setFileTransfer(
        _ exchange: FileExchange, _ configuration: FileTransferClient.Configuration
    ) throws(NetworkError) {
        reset()
        set(CURLOPT_PROTOCOLS_STR, "sftp")
        set(CURLOPT_URL, Self.address(exchange, configuration))
        // The environment's proxies are for the web.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_TCP_NODELAY, 1)
        // libcurl 8.14 takes an empty file over a kept connection for a dead connection, and asks for it again, as if it had been
        // redirected, up to thirty times. The client repeats it once, over a fresh connection.
        set(CURLOPT_MAXREDIRS, 0)
        setConnectTimeout(configuration.connectTimeout)
        set(CURLOPT_SSH_KNOWNHOSTS, configuration.knownHostsFile)
        set(CURLOPT_USERNAME, configuration.user)
        switch configuration.credential {
        case .password(let password):
            set(CURLOPT_SSH_AUTH_TYPES, Int(CURLSSH_AUTH_PASSWORD | CURLSSH_AUTH_KEYBOARD))
            set(CURLOPT_PASSWORD, password)
        case .privateKey(let path, let passphrase):
            // libcurl would say only that the server refuses the user.
            guard access(path, R_OK) == 0 else {
                throw NetworkError(code: .file, message: "The private key \(path) cannot be read. Check the path.")
            }
            set(CURLOPT_SSH_AUTH_TYPES, Int(CURLSSH_AUTH_PUBLICKEY))
            set(CURLOPT_SSH_PRIVATE_KEYFILE, path)
            set(CURLOPT_KEYPASSWD, passphrase ?? "")
        case .agent: set(CURLOPT_SSH_AUTH_TYPES, Int(CURLSSH_AUTH_AGENT))
        }
        if !exchange.commands.isEmpty {
            set(CURLOPT_QUOTE, list: exchange.commands)
            set(CURLOPT_NOBODY, 1)
        } else if let upload = exchange.upload {
            set(CURLOPT_UPLOAD, 1)
            set(CURLOPT_INFILESIZE_LARGE, offset: Int64(upload.count))
        }
        setFileCallbacks(Unmanaged.passUnretained(exchange).toOpaque())
    }

    private static func address(
        _ exchange: FileExchange, _ configuration: FileTransferClient.Configuration
    ) -> String {
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        let path = exchange.path.hasPrefix("/") ? exchange.path : "/~/" + (exchange.path.isEmpty ? "." : exchange.path)
        let end = exchange.isListing && !path.hasSuffix("/") ? "/" : ""
        return "sftp://\(host):\(configuration.port)\(path.percentEncoded(keeping: "/~"))\(end)"
    }

    private func setFileCallbacks(_ context: UnsafeRawPointer) {
        set(CURLOPT_NOPROGRESS, 0)
        for option in [CURLOPT_READDATA, CURLOPT_WRITEDATA, CURLOPT_XFERINFODATA, CURLOPT_SSH_KEYDATA] {
            set(option, pointer: context)
        }
        ccurl_set_data_callback(handle, CURLOPT_READFUNCTION) { data, size, count, context in
            FileExchange.from(context)?
                .read(into: UnsafeMutableRawBufferPointer(start: data, count: size * count)) ?? 0
        }
        ccurl_set_data_callback(handle, CURLOPT_WRITEFUNCTION) { data, size, count, context in
            guard let exchange = FileExchange.from(context) else { return 0 }
            return exchange.append(UnsafeRawBufferPointer(start: data, count: size * count)) ? size * count : 0
        }
        ccurl_set_progress_callback(handle) { context, _, down, _, up in
            FileExchange.from(context)?.goOn(moved: Int64(down) + Int64(up)) == true ? 0 : 1
        }
        ccurl_set_host_key_callback(handle) { _, _, found, match, context in
            if match == CURLKHMATCH_OK { return Int32(CURLKHSTAT_FINE.rawValue) }
            if let key = found?.pointee, let bytes = key.key {
                FileExchange.from(context)?
                    .refuse(
                        [UInt8](UnsafeRawBufferPointer(start: bytes, count: key.len)),
                        isChanged: match == CURLKHMATCH_MISMATCH)
            }
            return Int32(CURLKHSTAT_REJECT.rawValue)
        }
    }
}

extension FileExchange {
    // SAFETY: the client holds on to the exchange while its handle is in use.
    fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> FileExchange? {
        context.map { Unmanaged<FileExchange>.fromOpaque($0).takeUnretainedValue() }
    }
}
