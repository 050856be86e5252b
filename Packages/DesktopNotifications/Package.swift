// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "DesktopNotifications",
    products: [
        .library(name: "DBus", targets: ["DBus"]),
        .library(name: "DBusTestSupport", targets: ["DBusTestSupport"]),
        .library(name: "DesktopNotifications", targets: ["DesktopNotifications"]),
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../LazyLibraries"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .systemLibrary(name: "CGIO", providers: [.apt(["libglib2.0-dev"])]),
        .target(
            name: "CGIOCalls", dependencies: [.product(name: "CLazyLibrary", package: "LazyLibraries")],
            swiftSettings: settings),
        // Calls over D-Bus, and the connections of DesktopNotifications.
        .target(
            name: "DBus",
            dependencies: ["CGIO", "CGIOCalls", .product(name: "Concurrency", package: "Concurrency")],
            swiftSettings: settings),
        .target(
            name: "DBusTestSupport", dependencies: [.product(name: "TestKit", package: "TestKit")],
            swiftSettings: settings),
        .testTarget(
            name: "DBusTests",
            dependencies: ["DBus", "DBusTestSupport", .product(name: "TestKit", package: "TestKit")],
            swiftSettings: settings),
        .target(
            name: "DesktopNotifications",
            dependencies: ["CGIO", "CGIOCalls", "DBus", .product(name: "Concurrency", package: "Concurrency")],
            swiftSettings: settings),
        .testTarget(
            name: "DesktopNotificationsTests",
            dependencies: ["DBus", "DesktopNotifications", .product(name: "TestKit", package: "TestKit")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
