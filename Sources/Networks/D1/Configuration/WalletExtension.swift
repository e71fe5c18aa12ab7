import Core
import Wire

extension View {
    /// The application that Apple asks for status and entries: of the two extensions of an app the one without UI,
    /// whichever of them logged in (CONTRACT, section 4). Where none is registered the one that asks speaks for itself, and
    /// the check says so. An app speaks for itself, too.
    func walletExtension(of application: Application) throws -> (application: Application, checks: [Check]) {
        guard application.applicationKind == .extensionUI else { return (application, []) }
        let all = try store.records(Application.self)
        let app = container(of: application, in: all)
        let siblings = all.filter { $0.applicationKind == .extension && container(of: $0, in: all) == app }
        let isNear = { (sibling: Application) in sibling.appGroupIDs.contains(where: application.appGroupIDs.contains) }
        guard let found = siblings.first(where: isNear) ?? siblings.first else {
            let evidence = "\(app) has no extension without UI; \(application.identifier) decides"
            return (application, [.warning("application.extension", D1Fault.extensionUnknown, evidence: evidence)])
        }
        let seen = Check.passed("application.extension", evidence: found.identifier)
        if application.isEntitled { return (found, [seen]) }
        let evidence = "\(application.identifier), which adds nothing to Wallet then"
        return (found, [seen, .warning("application.entitled", D1Fault.applicationNotEntitled, evidence: evidence)])
    }

    /// The containing app: its identifier is the beginning of the extension's. Where it is not registered, what stands
    /// before the last part.
    private func container(of application: Application, in all: [Application]) -> String {
        let name = application.identifier
        let apps = all.filter { $0.applicationKind == .app && name.hasPrefix($0.identifier + ".") }.map(\.identifier)
        return apps.max { $0.utf8.count < $1.utf8.count }
            ?? name[..<(name.lastIndex(of: ".") ?? name.endIndex)].description
    }
}
