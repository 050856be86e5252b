// SPDX-License-Identifier: MIT

public import Domain

/// A place without personal data, and a way to put some there.
public struct PersonalDataStoreSubject: Sendable {
    let store: any PersonalDataStore
    let fill: @Sendable () async throws -> [String: Int]
    let failing: Failing<any PersonalDataStore>

    /// A subject.
    ///
    /// - Parameters:
    ///   - store: The place.
    ///   - fill: Puts several things there and returns the counts that their erasure must report.
    ///   - failing: Places that cannot be emptied, with the error that says so.
    public init(
        store: any PersonalDataStore, fill: @escaping @Sendable () async throws -> [String: Int],
        failing: Failing<any PersonalDataStore> = [:]
    ) {
        self.store = store
        self.fill = fill
        self.failing = failing
    }

    fileprivate func erase() async throws -> [String: Int] { try await store.erase().filter { $0.value > 0 } }
}

/// The contract of `PersonalDataStore`.
public enum PersonalDataStoreContract {
    /// Every promise.
    public static let checks: [ContractCheck<PersonalDataStoreSubject>] = [
        .init("an empty place has nothing to erase") { subject in
            try await require(subject.erase().isEmpty, "something out of nothing")
        },
        .init("everything goes and is counted, each time that there is something") { subject in
            for _ in 0..<2 {
                let counts = try await subject.fill()
                try require(counts.values.reduce(0, +) > 1, "too little to check anything")
                try await require(subject.erase() == counts, "not \(counts)")
                try await require(subject.erase().isEmpty, "something was left")
            }
        },
        .init("erasures at the same time count each thing once") { subject in
            let counts = try await subject.fill()
            let erased = Collected<[String: Int]>()
            try await concurrently(4) { _ in await erased.add(try await subject.erase()) }
            let sum = await erased.all.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
            try require(sum == counts, "\(sum), and \(counts) were there")
        },
        .init("after a cancelled erasure another one removes the rest") { subject in
            let counts = try await subject.fill()
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await subject.erase()
            }
            var erased: [String: Int] = [:]
            do { erased = try await task.value } catch is CancellationError {}
            erased.merge(try await subject.erase(), uniquingKeysWith: +)
            try require(erased.allSatisfy { $0.value <= counts[$0.key] ?? 0 }, "\(erased), and \(counts) were there")
            try await require(subject.erase().isEmpty, "something was left")
        },
        .init("a place that cannot be emptied says so") { subject in
            for (code, make) in subject.failing {
                let store = try await make()
                try await requireError(code: code) { _ = try await store.erase() }
            }
        },
    ]
}

/// A `PersonalDataStore` of things that are removed one by one; it may stop before any of them.
public actor InMemoryPersonalDataStore: PersonalDataStore {
    /// The things that are left.
    public private(set) var things: [String]
    private var stopsAfter: Int?
    private let error: any Error

    /// A place.
    ///
    /// - Parameters:
    ///   - things: The things at the start.
    ///   - stopsAfter: The count of things after which each erasure fails; nil to fail never.
    ///   - error: The failure.
    public init(_ things: [String] = [], stopsAfter: Int? = nil, error: any Error = CancellationError()) {
        (self.things, self.stopsAfter, self.error) = (things, stopsAfter, error)
    }

    /// Adds a thing.
    public func add(_ thing: String) { things.append(thing) }

    /// Ends the failures of erasures.
    public func goOn() { stopsAfter = nil }

    /// See `PersonalDataStore`.
    public func erase() throws -> [String: Int] {
        var count = 0
        while !things.isEmpty {
            if count == stopsAfter { throw error }
            things.removeFirst()
            count += 1
        }
        return ["things": count]
    }
}
