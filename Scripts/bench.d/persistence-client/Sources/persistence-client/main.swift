// SPDX-License-Identifier: MIT

// Runs one round of one measurement in a new file and prints its milliseconds.
// usage: persistence-client ours|raw|raw-thread|raw-swift MEASUREMENT FILE

import Glibc

let arguments = CommandLine.arguments
guard arguments.count == 4 else {
    fatalError("usage: persistence-client ours|raw|raw-thread|raw-swift MEASUREMENT FILE")
}
let (ours, raw) = (Ours(path: arguments[3]), Raw(path: arguments[3]))
let measurement = arguments[2]
let items = Item.some(100_000)
let few = Array(items.prefix(measurement.hasSuffix("-full") ? 1_000 : 10_000))
let keys = Item.keys(20_000, of: items.count)

let isFilled = ["read", "look-up"].contains(measurement)
// The tables are made, and filled where the work is reading, before anything is measured, by the same code for both.
if isFilled { _ = try await ours.insert(items) } else { try await ours.open().close() }

/// Does it on a thread of its own, as the database does.
func onThread(_ work: @escaping () -> Duration) -> Duration {
    final class Work {
        let body: () -> Duration
        var duration = Duration.zero
        init(_ body: @escaping () -> Duration) { self.body = body }
    }
    let shared = Work(work)
    var thread = pthread_t()
    let failure = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            let work = Unmanaged<Work>.fromOpaque(context).takeUnretainedValue()
            work.duration = work.body()
            return nil
        }, Unmanaged.passUnretained(shared).toOpaque())
    precondition(failure == 0)
    pthread_join(thread, nil)
    return shared.duration
}

let duration: Duration
switch (arguments[1], measurement) {
case ("ours", "insert"): duration = try await ours.insert(items)
case ("ours", "awaited-full"): duration = try await ours.awaited(few, .full)
case ("ours", "awaited-normal"): duration = try await ours.awaited(few, .normal)
case ("ours", "read"): duration = try await ours.read(items.count)
case ("ours", "look-up"): duration = try await ours.lookUp(keys)
case ("raw", "insert"): duration = raw.insert(items)
case ("raw", "awaited-full"): duration = raw.transactions(few, full: true)
case ("raw", "awaited-normal"): duration = raw.transactions(few, full: false)
case ("raw-thread", "awaited-full"): duration = raw.handedTransactions(few, full: true)
case ("raw-thread", "awaited-normal"): duration = raw.handedTransactions(few, full: false)
case ("raw", "read"): duration = raw.read(items.count)
case ("raw-thread", "insert"): duration = onThread { raw.insert(items) }
case ("raw-thread", "read"): duration = onThread { raw.read(items.count) }
case ("raw-swift", "insert"): duration = raw.insertFromSwift(items)
case ("raw-swift", "read"): duration = raw.readIntoSwift(items.count)
case ("raw", "look-up"): duration = raw.lookUp(keys)
default: fatalError("there is no measurement \(measurement)")
}
print(duration / .milliseconds(1))
