// SPDX-License-Identifier: MIT

import CSecret
import CSecretCalls
import Security

/// A connection to the secret service for one call. Everything here blocks.
final class SecretServiceSession {
    let service: OpaquePointer
    let cancellable: OpaquePointer?

    static let locked = SecretStoreError(
        code: .locked, message: "The keyring is locked. Unlock it, for example by logging in to the desktop.")

    /// Loads libsecret, before any other use of this type.
    ///
    /// - Throws: ``SecretStoreError`` with the code `unavailable` if it is missing.
    static func loadLibrary() throws {
        guard let reason = csecret_load() else { return }
        throw SecretStoreError(code: .unavailable, message: String(cString: reason))
    }

    /// Connects to the service, which the bus starts if it is installed.
    ///
    /// - Throws: ``SecretStoreError`` with the code `unavailable` if it is missing.
    init(cancellable: OpaquePointer?) throws {
        self.cancellable = cancellable
        var error: UnsafeMutablePointer<GError>?
        guard let service = csecret_open(cancellable, &error) else {
            throw Self.translated(error, whileConnecting: true)
        }
        self.service = service
        csecret_survive_bus(service)
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(service))
    }

    /// Throws unless the default keyring exists and is open.
    func requireUnlockedKeyring(allowsPrompt: Bool) throws {
        let found = try call { error in
            secret_collection_for_alias_sync(
                service, "default", UInt32(CSECRET_COLLECTION_NONE), cancellable, &error)
        }
        guard let collection = found else {
            // If prompts are allowed, storing asks the person to make one.
            if allowsPrompt { return }
            throw SecretStoreError(
                code: .unavailable,
                message:
                    "There is no default keyring. Log in to the desktop once, or make one (for example in Seahorse).")
        }
        defer { g_object_unref(UnsafeMutableRawPointer(collection)) }
        guard secret_collection_get_locked(collection) != 0 else { return }
        guard allowsPrompt else { throw Self.locked }
        var list = GList(data: UnsafeMutableRawPointer(collection), next: nil, prev: nil)
        let unlocked = try call { error in secret_service_unlock_sync(service, &list, cancellable, nil, &error) }
        guard unlocked > 0 else { throw Self.locked }
    }

    /// Runs one call of libsecret and throws its error.
    func call<Result>(_ body: (inout UnsafeMutablePointer<GError>?) -> Result) throws -> Result {
        var error: UnsafeMutablePointer<GError>?
        let result = body(&error)
        guard error == nil else { throw Self.translated(error, whileConnecting: false) }
        return result
    }

    func withAttributes<Result>(of name: SecretName, _ body: (OpaquePointer?) throws -> Result) throws -> Result {
        let attributes = csecret_attributes(name.service, name.account)
        defer { g_hash_table_unref(attributes) }
        return try body(attributes)
    }

    /// The results of `body` for each item of a name.
    func items<Result>(
        of name: SecretName, flags: UInt32, _ body: (OpaquePointer) throws -> Result
    ) throws -> [Result] {
        try withAttributes(of: name) { try search($0, flags: flags, body) }
    }

    /// The results of `body` for each item of a service, or for all items.
    func items<Result>(
        service: String?, _ body: (OpaquePointer) throws -> Result
    ) throws -> [Result] {
        let attributes = csecret_attributes(service, nil)
        defer { g_hash_table_unref(attributes) }
        return try search(attributes, flags: UInt32(CSECRET_SEARCH_ALL), body)
    }

    private func search<Result>(
        _ attributes: OpaquePointer?, flags: UInt32,
        _ body: (OpaquePointer) throws -> Result
    ) throws -> [Result] {
        let list = try call { error in
            secret_service_search_sync(self.service, csecret_schema(), attributes, flags, cancellable, &error)
        }
        defer { csecret_free_objects(list) }
        var results: [Result] = []
        var next = list
        while let node = next {
            if let item = node.pointee.data { results.append(try body(OpaquePointer(item))) }
            next = node.pointee.next
        }
        return results
    }

    private static func translated(_ error: UnsafeMutablePointer<GError>?, whileConnecting: Bool) -> any Error {
        guard let error else { return SecretStoreError(code: .inputOutput, message: "The keyring did not answer.") }
        defer { g_error_free(error) }
        let (domain, number) = (error.pointee.domain, error.pointee.code)
        let text = error.pointee.message.map { String(cString: $0) } ?? "no reason given"
        if domain == g_io_error_quark(), number == Int32(CSECRET_IO_ERROR_CANCELLED) {
            return CancellationError()
        }
        if domain == secret_error_get_quark(), number == Int32(CSECRET_ERROR_IS_LOCKED) {
            return locked
        }
        if whileConnecting {
            return SecretStoreError(
                code: .unavailable,
                message: "There is no keyring here, or it does not answer (\(text)). Start one, or use another store.",
                underlying: number)
        }
        return SecretStoreError(
            code: .inputOutput, message: "The keyring could not do it (\(text)). Try again.", underlying: number)
    }
}

/// Ends a blocking call of GLib from another thread.
// SAFETY: GCancellable may be used from any thread, and the pointer never changes.
final class Cancellation: @unchecked Sendable {
    let pointer: OpaquePointer?

    init() {
        pointer = g_cancellable_new()
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(pointer))
    }

    func cancel() {
        g_cancellable_cancel(pointer)
    }
}
