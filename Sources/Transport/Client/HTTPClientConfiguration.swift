/// What one client trusts, shows and bears.
package struct HTTPClientConfiguration: Sendable, Equatable {
    /// The authorities of servers, PEM; nil trusts those of the system.
    package var authorityFile: String?
    /// The client's certificate and its chain, PEM; shown to servers that ask.
    package var certificateFile: String?
    /// The key of that certificate, PEM.
    package var privateKeyFile: String?
    /// Largest body of an answer.
    package var answerBytes = 4 << 20
    /// Largest head of an answer, with interim answers.
    package var headBytes = 64 << 10
    /// Connections that are kept open to one origin; 0 makes a connection for each call.
    package var idlePerOrigin = 4
    /// How long they are kept. Shorter than most servers' own patience (5 s and more), so that a call rarely meets a
    /// server that is just closing: nothing is sent twice.
    package var idleSeconds = 4.0

    /// The defaults.
    package init() {}

    /// Whether files have to be read.
    var namesFiles: Bool { authorityFile != nil || certificateFile != nil || privateKeyFile != nil }
}
