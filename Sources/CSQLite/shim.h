#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast inside a macro, which Swift does not import: SQLite copies the bytes before it returns.

static inline int shim_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

static inline int shim_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Extended codes are expressions, which Swift does not import.

static const int shim_SQLITE_IOERR_READ = SQLITE_IOERR_READ;
static const int shim_SQLITE_IOERR_SHORT_READ = SQLITE_IOERR_SHORT_READ;

// Both take a list of arguments whose length varies, which Swift does not import.

static inline int shim_sqlite3_without_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static inline int shim_sqlite3_keep_plans(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_QPSG, 1, (int *)0);
}
