// SPDX-License-Identifier: MIT

import Foundation
import Networking

// One measurement in a process of its own, so that its memory is its own too. Prints one line of JSON.
//
// usage: networking-client curl|client|logged|urlsession URL COUNT CONCURRENCY
//        networking-client stages|logged-stages URL COUNT
//        networking-client download|slow URL | upload URL FILE | stream URL BYTES
//        networking-client events URL COUNT | parse FILE | websocket URL BYTES COUNT | mask

struct Failure: Error {}

let arguments = CommandLine.arguments
guard arguments.count >= 2 else { throw Failure() }

func number(_ index: Int) -> Int { arguments.count > index ? Int(arguments[index]) ?? 1 : 1 }
func address() throws -> URL {
    guard arguments.count > 2, let url = URL(string: arguments[2]) else { throw Failure() }
    return url
}

var configuration = CurlTransport.Configuration()
configuration.plainHTTPHosts = ["127.0.0.1"]
configuration.proxy = .none

let kind = arguments[1]
let measurement: Measurement
switch kind {
case "curl", "client", "logged", "urlsession":
    measurement = try await requests(
        kind, to: address(), count: number(3), concurrency: number(4), configuration: configuration)
case "stages", "logged-stages":
    measurement = try await stages(address(), count: number(3), hasLog: kind == "logged-stages")
case "download", "slow":
    measurement = try await download(from: address(), isSlow: kind == "slow", configuration: configuration)
case "upload":
    measurement = try await upload(.file(path: arguments[3]), to: address(), configuration: configuration)
case "stream":
    let body = HTTPBodyStream(Chunks(count: number(3)), length: number(3))
    measurement = try await upload(.stream(body), to: address(), configuration: configuration)
case "events": measurement = try await events(from: address(), count: number(3), configuration: configuration)
case "parse": measurement = try parseEvents(inFile: arguments[2])
case "websocket":
    measurement = try await roundTrips(
        to: address(), size: number(3), count: number(4), configuration: configuration)
case "mask": measurement = mask()
default: throw Failure()
}
print(measurement.json)
