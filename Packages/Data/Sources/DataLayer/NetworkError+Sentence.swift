// SPDX-License-Identifier: MIT

package import Domain
package import Networking

extension NetworkError {
    /// The error for a person: the message in English, in other languages a sentence for the code, with the details that have
    /// a type. A code without a row here keeps its message.
    package var sentence: Sentence {
        translation.map { Sentence(verbatim: message, elsewhere: $0) } ?? Sentence(verbatim: message)
    }

    private var translation: Sentence? {
        switch code {
        case .resolve: "The server's name was not found. Check the address and the network."
        case .connect: "No connection to the server could be made. Check that it runs and that the network reaches it."
        case .proxy: "The proxy refuses the connection. Check its address, its user name and its password."
        case .secure: "No secure connection could be agreed on. Check that the server supports TLS 1.2 or later."
        case .certificate: "The server's certificate is not trusted. Check the certificate, and this machine's date."
        case .pin:
            "The server presents a key that is not pinned for it, so nothing was sent: the connection may be intercepted. Ask "
                + "its operator; parley trust list shows the pinned keys."
        case .hostKey:
            "The server's host key is not a known one, so nothing was sent: the connection may be intercepted. Ask its "
                + "operator. Details: \(message)"
        case .connectionLost: "The connection to the server broke. Try again."
        case .invalidResponse, .webSocketProtocol, .webSocketText, .webSocketHandshake, .notAnEventStream, .decoding:
            "The server's answer is not understood. Check the address; another server may be there."
        case .connectTimeout: "There was no connection to the server in time. Try again later."
        case .firstByteTimeout, .idleTimeout, .timeout: "The server did not answer in time. Try again later."
        case .responseTooLarge, .headerTooLarge, .eventTooLarge, .webSocketMessageTooBig:
            "The server's answer is too large, so it was not read to its end."
        case .libraryMissing, .digestUnavailable: "A library of the system is missing. Details: \(message)"
        case .outOfMemory: "The memory is used up. Close other programs, then try again."
        case .redirect: "The server leads to another address that cannot be used. Check the address."
        case .requestBody: "What was to be sent could not be read. Details: \(message)"
        case .status: statusSentence
        case .unauthorized: "The server does not accept the sign-in. Sign in again."
        case .refreshLimit: "The sign-in was renewed too often in a short time. Try again in a minute."
        case .circuitOpen: "The server has failed several times of late. Try again in a while."
        case .notCached: "Nothing is stored for this request. It needs the network."
        case .insecure: "This would not be encrypted on its way, which is not allowed. Use an address with https://."
        case .file: "A file cannot be read or written. Details: \(message)"
        case .closed: "The connection is closed. Try again."
        case .remoteAccessDenied: "The server denies access to the file. Check the permissions at the server."
        case .remoteDiskFull: "The server's disk is full. Free some room there."
        case .remoteFileMissing: "The file does not exist at the server. Check the path."
        case .remoteFailure: "The server could not write the file. Its disk may be full or read-only."
        case .deliveryUnknown: "The connection broke while something was sent. It may have arrived or not."
        default: nil
        }
    }

    private var statusSentence: Sentence? {
        guard let status else { return nil }
        return switch status {
        case 401, 403: "The server refuses access (status \(status)). Check the user name, the key or the password."
        case 429: "The server refuses more requests for now (status \(status)). Wait a while, then try again."
        case 500...: "The server has a fault (status \(status)). Try again later."
        default: "The server turned it down (status \(status)). Check the address and what was asked for."
        }
    }
}
