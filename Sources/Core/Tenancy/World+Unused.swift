extension World {
    /// Draws until `isTaken` says no. The draws of a tenant begin again when its seed is set, and then give the same ids
    /// as before: an id that something has must not be given to something else.
    func unused<ID>(_ draw: (inout Draws) -> ID, isTaken: (ID) throws -> Bool) rethrows -> ID {
        while true {
            let id = draw(&tenant.draws)
            if try !isTaken(id) { return id }
        }
    }

    /// A secret that no record of this kind was made for.
    func unusedSecret<R: Record>(_ type: R.Type) throws -> String {
        try unused({ D1Secret.make(&$0, for: name) }) { try store.record(type, D1Secret.recordID($0)) != nil }
    }
}
