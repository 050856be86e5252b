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
        .library(name: "DesktopNotifications", targets: ["DesktopNotifications"])
    ],
    dependencies: [
        .package(path: "../Concurrency")
    ],
    targets: [
        .systemLibrary(name: "CGIO", pkgConfig: "gio-unix-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .target(
            name: "DesktopNotifications",
            dependencies: ["CGIO", .product(name: "Concurrency", package: "Concurrency")], swiftSettings: settings),
        .testTarget(
            name: "DesktopNotificationsTests", dependencies: ["DesktopNotifications"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
