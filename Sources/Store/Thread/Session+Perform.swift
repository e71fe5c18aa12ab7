import Core

extension Session {
    /// Performs reads. They share one transaction, which stays open until the next write: nobody else writes the file,
    /// and without it SQLite takes and gives back the file's locks at each statement.
    func perform(_ jobs: [ReadJob]) {
        if jobs.isEmpty { return }
        beginReading()
        let answers = jobs.map { job in job.perform(self) }
        for answer in answers { answer() }
    }

    /// Performs writes as one group, in one commit; as several when one of them loses the commit for those before it.
    func perform(_ jobs: [WriteJob]) {
        var rest = jobs[...]
        while !rest.isEmpty { performGroup(&rest) }
    }

    /// Takes writes from the front and commits them together. No caller is answered before the commit.
    private func performGroup(_ jobs: inout ArraySlice<WriteJob>) {
        var answers: [(StoreFault?) -> Void] = []
        var lost: StoreFault?
        do {
            endReading()
            try statements.begin.run()
            while let job = jobs.popFirst() { try perform(job, &answers) }
            try statements.commit.run()
        } catch {
            database.rollBack()
            lost = error
            // Not even begun: the next job would fail in the same way, and must not be tried for ever.
            if answers.isEmpty, let job = jobs.popFirst() { answers.append { fault in job.refuse(fault ?? error) } }
        }
        if mustEmptyLog, database.emptyLog() { mustEmptyLog = false }
        for answer in answers { answer(lost) }
    }

    /// Performs one write.
    ///
    /// - Throws: When the whole group is lost. The job's answer is in `answers` all the same.
    private func perform(_ job: WriteJob, _ answers: inout [(StoreFault?) -> Void]) throws(StoreFault) {
        let transaction = WriteTransaction(self, job.tenant)
        let performed = job.perform(transaction)
        let ownFault = transaction.end()
        answers.append { fault in performed.finish(fault ?? ownFault) }
        if database.isOutsideTransaction { throw ownFault ?? .transactionLost }
        // A write that changed nothing has no savepoint.
        guard transaction.isBegun else { return }
        if ownFault != nil || performed.hasThrown { try statements.undoWrite.run() }
        try statements.keepWrite.run()
        if transaction.hasRemovedNumbers { mustEmptyLog = true }
    }
}
