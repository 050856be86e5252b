// SPDX-License-Identifier: MIT

import Glibc

switch CommandLine.arguments.dropFirst().first {
case "decode": try Decoding.measure()
case "latency": try await Latency.measure()
case "memory": try await Memory.measure()
case "queue": try await Queue.measure()
default:
    print("usage: echo-text-client decode|latency|memory|queue")
    exit(2)
}
