extension World {
    /// Draws until `isTaken` says no. The draws of a tenant begin again when its seed is set, and then give the same ids
    /// as before: an id that something has must not be given to something else.
    func unused<ID>(_ draw: (inout Draws) -> ID, isTaken: (ID) throws -> Bool) rethrows -> ID {
        while true {
            let id = draw(&tenant.draws)
            if try !isTaken(id) { return id }
        }
    }
}
