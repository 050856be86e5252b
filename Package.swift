// swift-tools-version: 6.2
import PackageDescription

// The umbrella: every module of Packages/ by path, so that one git URL serves them all. Each package's own manifest is its
// truth: Scripts/update-manifests writes from it what stands between the marks below (ADR 0002).

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Modules that compute on samples or models of words, the machine whose schedules are played by the thousand, and the tests that
/// read the whole tree. Without optimisation their tests take minutes, so Scripts/test asks for it in its debug build by the
/// environment. It is not always on, since a package with unsafe flags cannot be taken by URL.
let kernels = [
    "ArchitectureTests", "AudioDSP", "Echo", "EchoSimulator", "EchoText", "Networking", "Speech", "StateKnowledge",
    "StructuredJSON", "Sync", "SyncTests", "VoiceActivity",
]
func settings(of name: String) -> [SwiftSetting] {
    guard kernels.contains(name), Context.environment["PARLEY_OPTIMISE_KERNELS"] != nil else { return settings }
    // A module at a time, as in a release: a file at a time is a fifth more work.
    return settings + [.unsafeFlags(["-O", "-wmo", "-disable-batch-mode", "-num-threads", "2"])]
}

/// The module `name` of the package in Packages/`package`.
func module(_ name: String, in package: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Packages/\(package)/Sources/\(name)",
        swiftSettings: settings(of: name))
}

/// The program `name` of the package in Packages/`package`, which its tests run.
func program(_ name: String, in package: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Packages/\(package)/Sources/\(name)", swiftSettings: settings)
}

/// The unit tests of a package.
func tests(
    _ name: String, in package: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Packages/\(package)/Tests/\(name)", exclude: exclude,
        swiftSettings: settings(of: name))
}

/// A C library of the system, as the package in Packages/`package` imports it.
func library(_ name: String, in package: String, pkgConfig: String? = nil, apt: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Packages/\(package)/Sources/\(name)", pkgConfig: pkgConfig,
        providers: apt.map { [.apt([$0])] })
}

/// Tests that need more than one package.
func crossTests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude,
        swiftSettings: settings(of: name))
}

let package = Package(
    name: "parley",
    products: [
        .executable(name: "parley", targets: ["parley"]),
        .executable(name: "parley-server", targets: ["parley-server"]),
        // generated: begin (products)
        .library(name: "AudioBuffers", targets: ["AudioBuffers"]),
        .library(name: "AudioDSP", targets: ["AudioDSP"]),
        .library(name: "AudioKitLinux", targets: ["AudioKitLinux"]),
        .library(name: "AudioKitLinuxTestSupport", targets: ["AudioKitLinuxTestSupport"]),
        .library(name: "Auth", targets: ["Auth"]),
        .library(name: "AuthEndpoints", targets: ["AuthEndpoints"]),
        .library(name: "AuthServer", targets: ["AuthServer"]),
        .library(name: "AuthServerTestSupport", targets: ["AuthServerTestSupport"]),
        .library(name: "AuthTestSupport", targets: ["AuthTestSupport"]),
        .library(name: "CLazyLibrary", targets: ["CLazyLibrary"]),
        .library(name: "CommandLineArguments", targets: ["CommandLineArguments"]),
        .library(name: "Concurrency", targets: ["Concurrency"]),
        .library(name: "CrashReports", targets: ["CrashReports"]),
        .library(name: "DBus", targets: ["DBus"]),
        .library(name: "DBusTestSupport", targets: ["DBusTestSupport"]),
        .library(name: "DataAssistant", targets: ["DataAssistant"]),
        .library(name: "DataLayer", targets: ["DataLayer"]),
        .library(name: "DataSync", targets: ["DataSync"]),
        .library(name: "DataVoice", targets: ["DataVoice"]),
        .library(name: "DesktopNotifications", targets: ["DesktopNotifications"]),
        .library(name: "Diagnostics", targets: ["Diagnostics"]),
        .library(name: "Digests", targets: ["Digests"]),
        .library(name: "Domain", targets: ["Domain"]),
        .library(name: "DomainTestSupport", targets: ["DomainTestSupport"]),
        .library(name: "DurableFiles", targets: ["DurableFiles"]),
        .library(name: "Echo", targets: ["Echo"]),
        .library(name: "EchoObservation", targets: ["EchoObservation"]),
        .library(name: "EchoSimulator", targets: ["EchoSimulator"]),
        .library(name: "EchoText", targets: ["EchoText"]),
        .library(name: "HTTPServer", targets: ["HTTPServer"]),
        .library(name: "LocalIntents", targets: ["LocalIntents"]),
        .library(name: "LocalPage", targets: ["LocalPage"]),
        .library(name: "Localization", targets: ["Localization"]),
        .library(name: "MCP", targets: ["MCP"]),
        .library(name: "Networking", targets: ["Networking"]),
        .library(name: "NetworkingTestSupport", targets: ["NetworkingTestSupport"]),
        .library(name: "ObjectStore", targets: ["ObjectStore"]),
        .library(name: "ObjectStoreTestSupport", targets: ["ObjectStoreTestSupport"]),
        .library(name: "ParleyServer", targets: ["ParleyServer"]),
        .library(name: "Persistence", targets: ["Persistence"]),
        .library(name: "Postgres", targets: ["Postgres"]),
        .library(name: "PostgresTestSupport", targets: ["PostgresTestSupport"]),
        .library(name: "PracticeWire", targets: ["PracticeWire"]),
        .library(name: "QRCodes", targets: ["QRCodes"]),
        .library(name: "SealedRecordings", targets: ["SealedRecordings"]),
        .library(name: "Security", targets: ["Security"]),
        .library(name: "SecuritySecretService", targets: ["SecuritySecretService"]),
        .library(name: "SecurityTestSupport", targets: ["SecurityTestSupport"]),
        .library(name: "Speech", targets: ["Speech"]),
        .library(name: "SpeechEngines", targets: ["SpeechEngines"]),
        .library(name: "SpeechEvaluation", targets: ["SpeechEvaluation"]),
        .library(name: "SpeechServices", targets: ["SpeechServices"]),
        .library(name: "SpeechServicesTestSupport", targets: ["SpeechServicesTestSupport"]),
        .library(name: "StateKnowledge", targets: ["StateKnowledge"]),
        .library(name: "StructuredJSON", targets: ["StructuredJSON"]),
        .library(name: "Sync", targets: ["Sync"]),
        .library(name: "SyncTestSupport", targets: ["SyncTestSupport"]),
        .library(name: "SyncTransports", targets: ["SyncTransports"]),
        .library(name: "SyncWire", targets: ["SyncWire"]),
        .library(name: "TerminalKit", targets: ["TerminalKit"]),
        .library(name: "TestKit", targets: ["TestKit"]),
        .library(name: "VoiceActivity", targets: ["VoiceActivity"]),
        .library(name: "WyomingServer", targets: ["WyomingServer"]),
        .library(name: "XMLTree", targets: ["XMLTree"]),
        // generated: end (products)
    ],
    targets: [
        // generated: begin (targets)

        // Packages/AudioKitLinux
        library("CALSA", in: "AudioKitLinux", pkgConfig: "alsa", apt: "libasound2-dev"),
        library("CSndFile", in: "AudioKitLinux", apt: "libsndfile1-dev"),
        library("CSpeexDSP", in: "AudioKitLinux", pkgConfig: "speexdsp", apt: "libspeexdsp-dev"),
        library("CZlib", in: "AudioKitLinux", pkgConfig: "zlib", apt: "zlib1g-dev"),
        module("CSndFileCalls", in: "AudioKitLinux", ["CLazyLibrary"]),
        module("AudioDSP", in: "AudioKitLinux"),
        tests("AudioDSPTests", in: "AudioKitLinux", ["AudioDSP", "TestKit"]),
        module("AudioBuffers", in: "AudioKitLinux", ["AudioDSP"]),
        module(
            "AudioKitLinux", in: "AudioKitLinux",
            [
                "AudioBuffers", "AudioDSP", "CALSA", "CSndFile", "CSndFileCalls", "CSpeexDSP", "CZlib", "Concurrency",
                "Diagnostics",
            ]),
        module("AudioKitLinuxTestSupport", in: "AudioKitLinux", ["AudioKitLinux", "TestKit"]),
        program("SoundFileCrashTestSupport", in: "AudioKitLinux", ["AudioKitLinux"]),
        module("CAudioStreamTestSupport", in: "AudioKitLinux", ["CALSA"]),
        program(
            "AudioStreamTestSupport", in: "AudioKitLinux",
            ["AudioKitLinux", "CAudioStreamTestSupport", "Concurrency", "Diagnostics", "TestKit"]),
        tests(
            "AudioKitLinuxTests", in: "AudioKitLinux",
            [
                "AudioDSP", "AudioKitLinux", "AudioKitLinuxTestSupport", "AudioStreamTestSupport", "Diagnostics",
                "SoundFileCrashTestSupport", "TestKit",
            ]),
        tests(
            "AudioDeviceTests", in: "AudioKitLinux",
            ["AudioDSP", "AudioKitLinux", "AudioKitLinuxTestSupport", "TestKit"]),

        // Packages/Auth
        module("Auth", in: "Auth", ["Concurrency", "Diagnostics", "Networking", "Security"]),
        module("AuthTestSupport", in: "Auth", ["Auth", "Concurrency", "Diagnostics", "Networking", "Security"]),
        program("AuthProbeTestSupport", in: "Auth", ["Auth", "Diagnostics", "Networking", "Security"]),
        tests(
            "AuthTests", in: "Auth",
            [
                "Auth", "AuthProbeTestSupport", "AuthTestSupport", "Concurrency", "Diagnostics", "Networking",
                "NetworkingTestSupport", "Security", "TestKit",
            ]),

        // Packages/CommandLineArguments
        module("CommandLineArguments", in: "CommandLineArguments"),
        tests("CommandLineArgumentsTests", in: "CommandLineArguments", ["CommandLineArguments", "TestKit"]),

        // Packages/Concurrency
        library("CChildProcess", in: "Concurrency"),
        library("CEventQueue", in: "Concurrency"),
        library("CThread", in: "Concurrency"),
        library("CThreadSanitizer", in: "Concurrency"),
        module("Concurrency", in: "Concurrency", ["CChildProcess", "CEventQueue", "CThread", "CThreadSanitizer"]),
        tests("ConcurrencyTests", in: "Concurrency", ["Concurrency", "TestKit"]),

        // Packages/CrashReports
        module("CCrashReports", in: "CrashReports"),
        module("CrashReports", in: "CrashReports", ["CCrashReports", "Concurrency", "Diagnostics", "DurableFiles"]),
        program(
            "CrashProbeTestSupport", in: "CrashReports",
            ["CCrashReports", "Concurrency", "CrashReports", "Diagnostics"]),
        tests("CrashReportsTests", in: "CrashReports", ["CrashProbeTestSupport", "CrashReports", "TestKit"]),

        // Packages/Data
        module("PracticeWire", in: "Data", ["Domain"]),
        tests("PracticeWireTests", in: "Data", ["Domain", "DomainTestSupport", "PracticeWire", "TestKit"]),
        module(
            "DataLayer", in: "Data",
            [
                "Auth", "Concurrency", "Diagnostics", "Digests", "Domain", "DurableFiles", "Networking", "Persistence",
                "PracticeWire", "Security",
            ]),
        module("DataLayerTestSupport", in: "Data", ["DataLayer", "Domain"]),
        tests(
            "DataLayerTests", in: "Data",
            [
                "Auth", "Concurrency", "DataLayer", "DataLayerTestSupport", "Diagnostics", "Digests", "Domain",
                "DomainTestSupport", "DurableFiles", "Networking", "NetworkingTestSupport", "Persistence",
                "PracticeWire", "Security", "TestKit",
            ], exclude: ["Fixtures"]),
        module(
            "DataSync", in: "Data",
            [
                "Concurrency", "DataLayer", "Diagnostics", "Digests", "Domain", "DurableFiles", "Persistence",
                "PracticeWire", "Sync",
            ]),
        tests(
            "DataSyncTests", in: "Data",
            [
                "Concurrency", "DataLayer", "DataSync", "Domain", "DomainTestSupport", "Persistence", "Sync",
                "SyncTestSupport", "SyncWire", "TestKit",
            ]),
        module(
            "DataAssistant", in: "Data",
            ["Concurrency", "DBus", "Domain", "DurableFiles", "Echo", "LocalIntents", "Networking"]),
        tests(
            "DataAssistantTests", in: "Data",
            [
                "DBus", "DBusTestSupport", "DataAssistant", "Domain", "DomainTestSupport", "DurableFiles", "Echo",
                "TestKit",
            ]),
        module(
            "DataVoice", in: "Data",
            [
                "AudioKitLinux", "Concurrency", "DataLayer", "Diagnostics", "Digests", "Domain", "DurableFiles",
                "LocalIntents", "Networking", "Persistence", "SealedRecordings", "Security", "Speech", "SpeechEngines",
                "SpeechEvaluation", "SpeechServices", "StateKnowledge", "VoiceActivity",
            ]),
        module(
            "DataVoiceTestSupport", in: "Data",
            ["AudioKitLinux", "DataVoice", "Domain", "DomainTestSupport", "Speech", "StateKnowledge"]),
        program(
            "BargeInTestSupport", in: "Data",
            ["DataVoice", "DataVoiceTestSupport", "Diagnostics", "Domain", "Speech", "VoiceActivity"]),
        program(
            "ListeningSoakTestSupport", in: "Data",
            [
                "AudioKitLinux", "Concurrency", "DataLayer", "DataVoice", "Diagnostics", "Domain", "Speech",
                "StateKnowledge", "TestKit", "VoiceActivity",
            ]),
        tests(
            "DataVoiceTests", in: "Data",
            [
                "AudioKitLinux", "AudioKitLinuxTestSupport", "DataLayer", "DataLayerTestSupport", "DataVoice",
                "Digests", "Domain", "DomainTestSupport", "LocalIntents", "Persistence", "SealedRecordings", "Security",
                "Speech", "SpeechEngines", "SpeechServices", "SpeechServicesTestSupport", "StateKnowledge",
                "StructuredJSON", "TestKit", "VoiceActivity",
            ]),
        tests(
            "RoomTests", in: "Data",
            ["AudioKitLinux", "DataVoice", "DataVoiceTestSupport", "Domain", "Speech", "VoiceActivity"]),

        // Packages/DesktopNotifications
        library("CGIO", in: "DesktopNotifications", apt: "libglib2.0-dev"),
        module("CGIOCalls", in: "DesktopNotifications", ["CLazyLibrary"]),
        module("DBus", in: "DesktopNotifications", ["CGIO", "CGIOCalls", "Concurrency"]),
        module("DBusTestSupport", in: "DesktopNotifications", ["TestKit"]),
        tests("DBusTests", in: "DesktopNotifications", ["DBus", "DBusTestSupport", "TestKit"]),
        module("DesktopNotifications", in: "DesktopNotifications", ["CGIO", "CGIOCalls", "Concurrency", "DBus"]),
        tests("DesktopNotificationsTests", in: "DesktopNotifications", ["DBus", "DesktopNotifications", "TestKit"]),

        // Packages/Diagnostics
        library("CMalloc", in: "Diagnostics"),
        module("Diagnostics", in: "Diagnostics", ["CMalloc", "Concurrency", "DurableFiles"]),
        tests("DiagnosticsTests", in: "Diagnostics", ["Diagnostics", "DurableFiles", "TestKit"]),

        // Packages/Domain
        module("Domain", in: "Domain"),
        module("DomainTestSupport", in: "Domain", ["Domain", "TestKit"]),
        tests("DomainTests", in: "Domain", ["Domain", "DomainTestSupport", "TestKit"]),

        // Packages/DurableFiles
        module("DurableFiles", in: "DurableFiles"),
        tests("DurableFilesTests", in: "DurableFiles", ["DurableFiles", "TestKit"]),

        // Packages/Echo
        module("EchoText", in: "Echo", ["Concurrency", "Digests", "MCP", "Networking", "StructuredJSON"]),
        module(
            "Echo", in: "Echo",
            ["AudioDSP", "AudioKitLinux", "Concurrency", "Diagnostics", "Digests", "EchoText", "Networking"]),
        module("EchoObservation", in: "Echo", ["EchoText"]),
        tests(
            "EchoTests", in: "Echo",
            [
                "AudioDSP", "AudioKitLinux", "AudioKitLinuxTestSupport", "Concurrency", "Diagnostics", "Echo",
                "EchoObservation", "EchoSimulator", "EchoText", "HTTPServer", "MCP", "Networking",
                "NetworkingTestSupport", "StructuredJSON", "TestKit",
            ], exclude: ["Fixtures"]),
        tests(
            "VoiceDeviceTests", in: "Echo",
            ["AudioDSP", "AudioKitLinux", "AudioKitLinuxTestSupport", "Echo", "TestKit"]),

        // Packages/EchoSimulator
        module(
            "EchoSimulator", in: "EchoSimulator",
            ["Concurrency", "Diagnostics", "HTTPServer", "Networking", "StructuredJSON"]),
        tests(
            "EchoSimulatorTests", in: "EchoSimulator",
            ["Diagnostics", "EchoSimulator", "HTTPServer", "Networking", "StructuredJSON", "TestKit"],
            exclude: ["Fixtures"]),

        // Packages/HTTPServer
        library("CMicroHTTPD", in: "HTTPServer", apt: "libmicrohttpd-dev"),
        module("CMicroHTTPDCalls", in: "HTTPServer", ["CLazyLibrary"]),
        module(
            "HTTPServer", in: "HTTPServer",
            ["CMicroHTTPD", "CMicroHTTPDCalls", "Concurrency", "Diagnostics", "Networking"]),
        tests(
            "HTTPServerTests", in: "HTTPServer", ["Concurrency", "Diagnostics", "HTTPServer", "Networking", "TestKit"]),

        // Packages/LazyLibraries
        module("CLazyLibrary", in: "LazyLibraries"),
        module("CLazyLibraryTestSupport", in: "LazyLibraries", ["CLazyLibrary"]),
        tests("LazyLibrariesTests", in: "LazyLibraries", ["CLazyLibraryTestSupport"]),

        // Packages/LocalIntents
        module("LocalIntents", in: "LocalIntents", ["Domain"]),
        tests("LocalIntentsTests", in: "LocalIntents", ["Domain", "LocalIntents", "TestKit"], exclude: ["Fixtures"]),

        // Packages/LocalPage
        module("LocalPage", in: "LocalPage", ["Concurrency", "HTTPServer", "Networking", "Security"]),
        tests("LocalPageTests", in: "LocalPage", ["Concurrency", "HTTPServer", "LocalPage", "Networking", "TestKit"]),

        // Packages/Localization
        module("Localization", in: "Localization", ["DurableFiles"]),
        tests("LocalizationTests", in: "Localization", ["Localization", "TestKit"]),

        // Packages/MCP
        module("MCP", in: "MCP", ["Concurrency", "Diagnostics", "Digests", "Networking", "StructuredJSON"]),
        tests(
            "MCPTests", in: "MCP",
            ["Concurrency", "Diagnostics", "MCP", "Networking", "NetworkingTestSupport", "StructuredJSON", "TestKit"],
            exclude: ["Fixtures"]),

        // Packages/Networking
        library("CCurl", in: "Networking", apt: "libcurl4-openssl-dev"),
        module("CCurlCalls", in: "Networking", ["CLazyLibrary"]),
        module("Networking", in: "Networking", ["CCurl", "CCurlCalls", "Concurrency", "Diagnostics", "Digests"]),
        library("CExpat", in: "Networking", apt: "libexpat1-dev"),
        module("CExpatCalls", in: "Networking", ["CLazyLibrary"]),
        module("XMLTree", in: "Networking", ["CExpat", "CExpatCalls"]),
        module("NetworkingTestSupport", in: "Networking", ["Concurrency", "Diagnostics", "Networking", "TestKit"]),
        tests(
            "NetworkingTests", in: "Networking",
            ["Concurrency", "Diagnostics", "Digests", "Networking", "NetworkingTestSupport", "TestKit"],
            exclude: ["Fixtures"]),
        tests("XMLTreeTests", in: "Networking", ["XMLTree"]),

        // Packages/ObjectStore
        module(
            "ObjectStore", in: "ObjectStore",
            ["Concurrency", "Digests", "DurableFiles", "Networking", "Security", "XMLTree"]),
        module("ObjectStoreTestSupport", in: "ObjectStore", ["Digests", "Networking", "ObjectStore", "TestKit"]),
        program("ObjectStoreProbeTestSupport", in: "ObjectStore", ["ObjectStore"]),
        tests(
            "ObjectStoreTests", in: "ObjectStore",
            [
                "Concurrency", "Digests", "Networking", "NetworkingTestSupport", "ObjectStore",
                "ObjectStoreProbeTestSupport", "ObjectStoreTestSupport", "Security", "TestKit",
            ]),

        // Packages/ParleyServer
        module("AuthServer", in: "ParleyServer", ["Security"]),
        module("AuthEndpoints", in: "ParleyServer", ["AuthServer"]),
        module(
            "AuthServerTestSupport", in: "ParleyServer",
            ["AuthEndpoints", "AuthServer", "Concurrency", "Diagnostics", "Networking", "Security"]),
        tests(
            "AuthServerTests", in: "ParleyServer",
            [
                "Auth", "AuthServer", "AuthServerTestSupport", "AuthTestSupport", "Concurrency", "Diagnostics",
                "Security", "TestKit",
            ]),
        module(
            "ParleyServer", in: "ParleyServer",
            [
                "AuthEndpoints", "AuthServer", "Concurrency", "DataLayer", "Diagnostics", "Digests", "Domain",
                "HTTPServer", "Localization", "Networking", "ObjectStore", "Persistence", "Postgres", "PracticeWire",
                "Security", "SyncWire",
            ]),

        // Packages/Persistence
        library("CSQLite", in: "Persistence", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        module("Persistence", in: "Persistence", ["CSQLite", "Concurrency", "Diagnostics"]),
        program("PersistenceCrashTestSupport", in: "Persistence", ["Persistence", "TestKit"]),
        tests(
            "PersistenceTests", in: "Persistence",
            ["CSQLite", "Concurrency", "Diagnostics", "Persistence", "PersistenceCrashTestSupport", "TestKit"]),

        // Packages/Postgres
        library("CPostgres", in: "Postgres", apt: "libpq-dev"),
        module("CPostgresCalls", in: "Postgres", ["CLazyLibrary"]),
        module("Postgres", in: "Postgres", ["CPostgres", "CPostgresCalls", "Concurrency", "Diagnostics"]),
        module("PostgresTestSupport", in: "Postgres", ["Concurrency", "TestKit"]),
        tests(
            "PostgresTests", in: "Postgres",
            ["Concurrency", "Diagnostics", "Postgres", "PostgresTestSupport", "TestKit"]),

        // Packages/QRCodes
        library("CQRencode", in: "QRCodes", apt: "libqrencode-dev"),
        module("CQRencodeCalls", in: "QRCodes", ["CLazyLibrary"]),
        module("QRCodes", in: "QRCodes", ["CQRencode", "CQRencodeCalls"]),
        tests("QRCodesTests", in: "QRCodes", ["QRCodes", "TestKit"]),

        // Packages/SealedRecordings
        module(
            "SealedRecordings", in: "SealedRecordings",
            ["AudioKitLinux", "Concurrency", "Diagnostics", "Digests", "Security"]),
        program(
            "RecordingCrashTestSupport", in: "SealedRecordings", ["AudioKitLinux", "SealedRecordings", "Security"]),
        tests(
            "SealedRecordingsTests", in: "SealedRecordings",
            [
                "AudioKitLinux", "Concurrency", "Diagnostics", "RecordingCrashTestSupport", "SealedRecordings",
                "Security", "TestKit",
            ]),

        // Packages/Security
        library("COpenSSL", in: "Security", apt: "libssl-dev"),
        module("COpenSSLCalls", in: "Security", ["CLazyLibrary"]),
        module("Digests", in: "Security", ["COpenSSL", "COpenSSLCalls"]),
        tests("DigestsTests", in: "Security", ["Digests"]),
        module("Security", in: "Security", ["COpenSSL", "Concurrency", "Diagnostics", "Digests"]),
        library("CSecret", in: "Security", apt: "libsecret-1-dev"),
        module("CSecretCalls", in: "Security", ["CLazyLibrary"]),
        module("SecuritySecretService", in: "Security", ["CSecret", "CSecretCalls", "Concurrency", "Security"]),
        module("SecurityTestSupport", in: "Security", ["Security"]),
        program(
            "SecurityProbeTestSupport", in: "Security", ["Security", "SecuritySecretService", "SecurityTestSupport"]),
        tests(
            "SecurityTests", in: "Security",
            [
                "Concurrency", "Diagnostics", "Digests", "Security", "SecurityProbeTestSupport", "SecurityTestSupport",
                "TestKit",
            ]),

        // Packages/Speech
        library("CPocketSphinx", in: "Speech", apt: "libpocketsphinx-dev"),
        library("CFlite", in: "Speech", apt: "flite1-dev"),
        module("CSpeechCalls", in: "Speech", ["CLazyLibrary"]),
        module("VoiceActivity", in: "Speech", ["AudioDSP"]),
        tests("VoiceActivityTests", in: "Speech", ["AudioDSP", "TestKit", "VoiceActivity"]),
        module("SpeechEngines", in: "Speech", ["AudioBuffers", "AudioDSP"]),
        tests("SpeechEnginesTests", in: "Speech", ["SpeechEngines"]),
        module(
            "Speech", in: "Speech",
            [
                "AudioDSP", "AudioKitLinux", "CFlite", "CPocketSphinx", "CSpeechCalls", "Concurrency", "Diagnostics",
                "SpeechEngines", "VoiceActivity",
            ]),
        tests("SpeechTests", in: "Speech", ["AudioKitLinux", "Speech", "SpeechEngines", "TestKit"]),
        module(
            "SpeechEvaluation", in: "Speech",
            ["AudioDSP", "AudioKitLinux", "Concurrency", "Diagnostics", "Speech", "VoiceActivity"]),
        tests("SpeechEvaluationTests", in: "Speech", ["AudioKitLinux", "Speech", "SpeechEvaluation", "TestKit"]),

        // Packages/SpeechServices
        module(
            "SpeechServices", in: "SpeechServices",
            ["AudioBuffers", "Concurrency", "Diagnostics", "Networking", "SpeechEngines", "StructuredJSON"]),
        module(
            "WyomingServer", in: "SpeechServices",
            ["AudioBuffers", "Concurrency", "Diagnostics", "SpeechEngines", "SpeechServices", "StructuredJSON"]),
        module(
            "SpeechServicesTestSupport", in: "SpeechServices",
            [
                "AudioBuffers", "Concurrency", "HTTPServer", "Networking", "SpeechEngines", "SpeechServices",
                "StructuredJSON", "TestKit",
            ]),
        tests(
            "SpeechServicesTests", in: "SpeechServices",
            [
                "AudioBuffers", "AudioKitLinux", "Concurrency", "Diagnostics", "Networking", "NetworkingTestSupport",
                "Speech", "SpeechEngines", "SpeechServices", "SpeechServicesTestSupport", "StructuredJSON", "TestKit",
                "WyomingServer",
            ], exclude: ["Fixtures"]),

        // Packages/StateKnowledge
        module("StateKnowledge", in: "StateKnowledge", ["Domain"]),
        tests(
            "StateKnowledgeTests", in: "StateKnowledge", ["Domain", "DomainTestSupport", "StateKnowledge", "TestKit"],
            exclude: ["Fixtures"]),

        // Packages/StructuredJSON
        module("StructuredJSON", in: "StructuredJSON"),
        tests("StructuredJSONTests", in: "StructuredJSON", ["StructuredJSON", "TestKit"]),

        // Packages/Sync
        module("SyncWire", in: "Sync"),
        module("Sync", in: "Sync", ["Concurrency", "Persistence", "Security", "SyncWire"]),
        module(
            "SyncTransports", in: "Sync", ["Concurrency", "DurableFiles", "Networking", "Sync", "SyncWire", "XMLTree"]),
        module("SyncTestSupport", in: "Sync", ["Concurrency", "Sync", "SyncWire"]),
        tests(
            "SyncTests", in: "Sync",
            ["Concurrency", "Digests", "Persistence", "Security", "Sync", "SyncTestSupport", "SyncWire", "TestKit"],
            exclude: ["Fixtures"]),
        tests(
            "SyncTransportsTests", in: "Sync",
            [
                "Concurrency", "DurableFiles", "Networking", "NetworkingTestSupport", "Persistence", "Security", "Sync",
                "SyncTestSupport", "SyncTransports", "SyncWire", "TestKit",
            ]),

        // Packages/TerminalKit
        module("TerminalKit", in: "TerminalKit"),
        tests(
            "TerminalKitTests", in: "TerminalKit", ["Localization", "TerminalKit", "TestKit"], exclude: ["Snapshots"]),

        // Packages/TestKit
        module("TestKit", in: "TestKit"),
        tests("TestKitTests", in: "TestKit", ["TestKit"]),
        // generated: end (targets)

        .executableTarget(
            name: "parley",
            dependencies: [
                "Auth", "AudioDSP", "AudioKitLinux", "CommandLineArguments", "Concurrency", "CrashReports", "DBus",
                "DataAssistant", "DataLayer", "DataSync", "DataVoice", "DesktopNotifications", "Diagnostics", "Digests",
                "Domain",
                "DurableFiles", "Echo", "HTTPServer", "LocalPage", "Localization", "MCP",
                "Networking", "Persistence", "ProductVersion", "QRCodes",
                "SealedRecordings", "Security",
                "SecuritySecretService", "Speech", "SpeechEngines", "SpeechServices", "StateKnowledge",
                "StructuredJSON", "Sync", "SyncTransports", "SyncWire", "TerminalKit", "VoiceActivity", "WyomingServer",
            ],
            path: "Apps/parley", exclude: ["README.md", "Samples"], resources: [.embedInCode("Web/Page")],
            swiftSettings: settings),
        .executableTarget(
            name: "parley-server",
            dependencies: [
                "AudioKitLinux", "AuthServer", "CommandLineArguments", "Concurrency", "CrashReports", "DataVoice",
                "Diagnostics",
                "Domain",
                "EchoSimulator", "HTTPServer",
                "Networking", "ObjectStore", "ParleyServer", "PracticeWire", "ProductVersion", "Speech",
                "SpeechEvaluation", "StateKnowledge", "TerminalKit", "VoiceActivity",
            ],
            path: "Apps/parley-server", exclude: ["README.md"], swiftSettings: settings),
        .target(name: "ProductVersion", path: "Apps/ProductVersion", swiftSettings: settings),
        crossTests(
            "ParleyServerTests",
            [
                "parley-server", "Auth", "AuthServer", "AuthServerTestSupport", "AuthTestSupport",
                "CommandLineArguments", "Concurrency", "DataLayer", "Diagnostics", "Digests", "Domain",
                "DomainTestSupport", "HTTPServer", "Localization", "Networking",
                "NetworkingTestSupport", "ObjectStore", "ObjectStoreTestSupport", "ParleyServer", "Persistence",
                "PostgresTestSupport", "PracticeWire",
                "ProductVersion", "Security",
                "SyncWire",
                "TestKit",
            ]),
        crossTests(
            "ParleyTests",
            [
                "Concurrency",
                "parley", "Auth", "CommandLineArguments", "DataAssistant", "DataLayer", "DataSync", "Diagnostics",
                "Domain",
                "DomainTestSupport", "DurableFiles", "Echo", "MCP",
                "HTTPServer", "LocalPage", "Localization",
                "Networking", "QRCodes", "Security", "Speech", "StateKnowledge", "StructuredJSON", "Sync", "SyncWire",
                "TerminalKit",
                "TestKit",
            ], exclude: ["Snapshots"]),
        crossTests("ArchitectureTests", []),
        crossTests(
            "ContractTests",
            [
                "Concurrency", "DataAssistant", "DataLayer", "DataVoice", "Digests", "Domain", "DomainTestSupport",
                "Echo", "EchoSimulator", "Networking", "NetworkingTestSupport", "ParleyServer",
                "Persistence",
                "PracticeWire", "Security", "StructuredJSON", "Sync", "SyncTestSupport", "SyncTransports", "SyncWire",
                "TestKit",
            ]),
        crossTests(
            "EndToEndTests",
            [
                "Concurrency", "DBusTestSupport",
                "parley", "parley-server", "AudioKitLinuxTestSupport", "Auth", "DataLayer", "Diagnostics", "Digests",
                "Domain", "EchoSimulator",
                "HTTPServer", "Networking", "NetworkingTestSupport", "Persistence", "Security",
                "SpeechServicesTestSupport", "StructuredJSON",
                "TestKit",
            ], exclude: ["Fixtures", "Snapshots"]),
    ],
    swiftLanguageModes: [.v6]
)
