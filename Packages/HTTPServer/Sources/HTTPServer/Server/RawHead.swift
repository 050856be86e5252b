// SPDX-License-Identifier: MIT

import CMicroHTTPD

/// A request's head as libmicrohttpd read it, before any check.
struct RawHead: Sendable {
    struct Field: Sendable {
        var name: [UInt8]
        var value: [UInt8]
    }

    var method: [UInt8]
    var target: [UInt8]
    var isHTTP11: Bool
    var fields: [Field]
    /// The bytes of the request line and the header together.
    var size: Int
    /// The fault in the lines, which the library does not report.
    var lineFault: String?
}

extension RawHead {
    /// Reads a head out of the library's buffer.
    ///
    /// - Parameters:
    ///   - targetAddress: The target's address at the time when the library had just cut the request line.
    init(
        _ connection: OpaquePointer, method: UnsafePointer<CChar>, target: [UInt8], targetAddress: UInt,
        version: UnsafePointer<CChar>
    ) {
        let collector = Collector()
        // SAFETY: the collector outlives the call, which runs the iterator on this thread only.
        MHD_get_connection_values_n(
            connection, .HEADER_KIND,
            { context, _, name, nameSize, value, valueSize in
                guard let context, let name else { return .NO }
                let collector = Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
                collector.add(
                    UnsafeRawBufferPointer(start: name, count: nameSize),
                    UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize))
                return .YES
            }, Unmanaged.passUnretained(collector).toOpaque())
        let size = cmhd_header_size(connection)
        self.init(
            method: Array(String(cString: method).utf8), target: target,
            isHTTP11: String(cString: version) != "HTTP/1.0",
            fields: collector.fields, size: size, lineFault: nil)
        // SAFETY: the head begins with the method, and its bytes stay in the connection's buffer while it is read.
        let bytes = Array(UnsafeRawBufferPointer(start: method, count: size))
        lineFault =
            HeadLayout(
                start: UInt(bitPattern: method), bytes: bytes, methodSize: UInt(self.method.count),
                target: targetAddress, targetSize: UInt(target.count), version: UInt(bitPattern: version),
                fields: collector.places
            ).fault
    }

    private final class Collector {
        var fields: [Field] = []
        var places: [HeadLayout.Field] = []

        func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
            fields.append(Field(name: Array(name), value: Array(value)))
            places.append(
                HeadLayout.Field(
                    name: UInt(bitPattern: name.baseAddress), value: UInt(bitPattern: value.baseAddress),
                    valueSize: UInt(value.count)))
        }
    }
}
