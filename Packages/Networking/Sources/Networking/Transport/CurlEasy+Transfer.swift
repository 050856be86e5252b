// SPDX-License-Identifier: MIT

import CCurl
import FoundationEssentials

extension CurlEasy {
    /// Sets everything of one exchange. The transfer must outlive the handle's use.
    func setTransfer(_ transfer: CurlTransfer) {
        let request = transfer.request
        let context = UnsafeRawPointer(Unmanaged.passUnretained(transfer).toOpaque())
        set(CURLOPT_URL, transfer.address)
        setConnection(
            transfer.configuration, route: transfer.route, host: request.url.host(percentEncoded: false) ?? "",
            timeout: transfer.timeouts.connect)
        set(
            CURLOPT_HTTP_VERSION,
            transfer.configuration.usesHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        set(CURLOPT_PIPEWAIT, transfer.configuration.usesHTTP2 && request.url.scheme?.lowercased() == "https" ? 1 : 0)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_BUFFERSIZE, 64 << 10)
        setBody(of: request, upload: transfer.upload)
        setHeaders(of: request, configuration: transfer.configuration)
        setCallbacks(context)
    }

    private func setBody(of request: HTTPRequest, upload: UploadSource?) {
        switch (request.method, upload) {
        case (.get, nil): set(CURLOPT_HTTPGET, 1)
        case (.head, nil): set(CURLOPT_NOBODY, 1)
        case (.post, nil), (.put, nil), (.patch, nil):
            set(CURLOPT_POST, 1)
            set(CURLOPT_POSTFIELDSIZE_LARGE, offset: 0)
            set(CURLOPT_COPYPOSTFIELDS, "")
            set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        case (_, nil): set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        case (_, let upload?):
            set(CURLOPT_POST, 1)
            set(CURLOPT_POSTFIELDSIZE_LARGE, offset: upload.length.map(Int64.init) ?? -1)
            set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
            set(CURLOPT_UPLOAD_BUFFERSIZE, 64 << 10)
        }
    }

    private func setHeaders(of request: HTTPRequest, configuration: CurlTransport.Configuration) {
        var lines: [String] = []
        let ownNames = ["Content-Length", "Expect"]
        for field in request.headers where !ownNames.contains(where: { HTTPHeaders.areSame($0, field.name) }) {
            // libcurl takes "Name:" for a wish to drop the field, and "Name;" for an empty value.
            let value = field.value.drop { $0 == " " || $0 == "\t" }
            lines.append(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
        }
        lines.append("Expect:")
        if !request.headers.contains(name: "Content-Type") { lines.append("Content-Type:") }
        if case .stream(let stream) = request.body, stream.length == nil { lines.append("Transfer-Encoding: chunked") }
        set(CURLOPT_HTTPHEADER, list: lines)
        // A caller that names encodings wants the bytes as they are sent.
        if !request.headers.contains(name: "Accept-Encoding") { set(CURLOPT_ACCEPT_ENCODING, "") }
        if let agent = configuration.userAgent, !request.headers.contains(name: "User-Agent") {
            set(CURLOPT_USERAGENT, agent)
        }
    }

    private func setCallbacks(_ context: UnsafeRawPointer) {
        for option in [
            CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_PREREQDATA,
        ] {
            set(option, pointer: context)
        }
        ccurl_set_data_callback(handle, CURLOPT_HEADERFUNCTION) { data, _, count, context in
            guard let transfer = CurlTransfer.from(context) else { return 0 }
            return transfer.receiveHeader(UnsafeRawBufferPointer(start: data, count: count)) ? count : 0
        }
        ccurl_set_data_callback(handle, CURLOPT_WRITEFUNCTION) { data, _, count, context in
            guard let transfer = CurlTransfer.from(context) else { return 0 }
            guard let isTaken = transfer.receiveBody(UnsafeRawBufferPointer(start: data, count: count)) else {
                return Int(CURL_WRITEFUNC_PAUSE)
            }
            // Zero means failure, and is right for an empty piece, too.
            return isTaken ? count : (count == 0 ? 1 : 0)
        }
        ccurl_set_data_callback(handle, CURLOPT_READFUNCTION) { data, size, count, context in
            guard let transfer = CurlTransfer.from(context) else { return Int(CURL_READFUNC_ABORT) }
            let buffer = UnsafeMutableRawBufferPointer(start: data, count: size * count)
            guard let read = transfer.readBody(into: buffer) else { return Int(CURL_READFUNC_PAUSE) }
            return read < 0 ? Int(CURL_READFUNC_ABORT) : read
        }
        ccurl_set_seek_callback(handle) { context, offset, _ in
            guard let transfer = CurlTransfer.from(context) else { return Int32(CURL_SEEKFUNC_FAIL) }
            return Int32(transfer.rewind(to: Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL)
        }
        ccurl_set_request_callback(handle) { context, _, _, _, _ in
            CurlTransfer.from(context)?.requestStarts()
            return Int32(CURL_PREREQFUNC_OK)
        }
    }
}

extension CurlTransfer {
    /// The transfer behind a callback's context. The loop holds on to it while its handle is in use.
    static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }
}
