// SPDX-License-Identifier: MIT
#include "raw.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

long long raw_now(void) {
    struct timespec time;
    clock_gettime(getenv("BENCH_PROCESSOR_TIME") ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static sqlite3 *open_database(const char *path, int full) {
    sqlite3 *database;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &database, flags, 0) != SQLITE_OK) return 0;
    const char *settings = full ? "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON"
                                : "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON";
    if (sqlite3_exec(database, settings, 0, 0, 0) != SQLITE_OK) return 0;
    return database;
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *text) {
    sqlite3_stmt *statement = 0;
    sqlite3_prepare_v3(database, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, 0);
    return statement;
}

static int run(sqlite3_stmt *statement) {
    int result = sqlite3_step(statement);
    sqlite3_reset(statement);
    return result == SQLITE_DONE;
}

static int insert(sqlite3_stmt *statement, const raw_item *item) {
    sqlite3_bind_int64(statement, 1, item->id);
    sqlite3_bind_text(statement, 2, item->name, (int)strlen(item->name), SQLITE_STATIC);
    sqlite3_bind_double(statement, 3, item->amount);
    return run(statement);
}

static const char *insertion = "INSERT INTO item (id, name, amount) VALUES (?, ?, ?)";

long long raw_insert(const char *path, const raw_item *items, long count) {
    sqlite3 *database = open_database(path, 1);
    if (!database) return -1;
    long long start = raw_now();
    int is_well = sqlite3_exec(database, "BEGIN IMMEDIATE", 0, 0, 0) == SQLITE_OK;
    sqlite3_stmt *statement = prepare(database, insertion);
    for (long index = 0; index < count && is_well; index++) is_well = insert(statement, &items[index]);
    is_well = is_well && sqlite3_exec(database, "COMMIT", 0, 0, 0) == SQLITE_OK;
    long long time = raw_now() - start;
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return is_well ? time : -1;
}

long long raw_transactions(const char *path, const raw_item *items, long count, int full) {
    sqlite3 *database = open_database(path, full);
    if (!database) return -1;
    long long start = raw_now();
    sqlite3_stmt *begin = prepare(database, "BEGIN IMMEDIATE"), *commit = prepare(database, "COMMIT");
    sqlite3_stmt *statement = prepare(database, insertion);
    int is_well = 1;
    for (long index = 0; index < count && is_well; index++)
        is_well = run(begin) && insert(statement, &items[index]) && run(commit);
    long long time = raw_now() - start;
    sqlite3_finalize(begin);
    sqlite3_finalize(commit);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return is_well ? time : -1;
}

// What a thread of its own and who waits for it share: one item at a time, and whether it is stored.
typedef struct {
    pthread_mutex_t mutex;
    pthread_cond_t given, stored;
    const raw_item *item;
    int is_over, is_well;
    sqlite3_stmt *begin, *insertion, *commit;
} hand_over;

static void *store_items(void *context) {
    hand_over *shared = context;
    pthread_mutex_lock(&shared->mutex);
    while (1) {
        while (!shared->item && !shared->is_over) pthread_cond_wait(&shared->given, &shared->mutex);
        if (!shared->item) break;
        const raw_item *item = shared->item;
        pthread_mutex_unlock(&shared->mutex);
        int is_well = run(shared->begin) && insert(shared->insertion, item) && run(shared->commit);
        pthread_mutex_lock(&shared->mutex);
        shared->item = 0;
        shared->is_well = is_well;
        pthread_cond_signal(&shared->stored);
    }
    pthread_mutex_unlock(&shared->mutex);
    return 0;
}

long long raw_handed_transactions(const char *path, const raw_item *items, long count, int full) {
    sqlite3 *database = open_database(path, full);
    if (!database) return -1;
    hand_over shared = {.mutex = PTHREAD_MUTEX_INITIALIZER, .given = PTHREAD_COND_INITIALIZER,
                        .stored = PTHREAD_COND_INITIALIZER, .is_well = 1};
    pthread_t thread;
    long long start = raw_now();
    shared.begin = prepare(database, "BEGIN IMMEDIATE");
    shared.commit = prepare(database, "COMMIT");
    shared.insertion = prepare(database, insertion);
    if (pthread_create(&thread, 0, store_items, &shared) != 0) return -1;
    pthread_mutex_lock(&shared.mutex);
    for (long index = 0; index < count && shared.is_well; index++) {
        shared.item = &items[index];
        pthread_cond_signal(&shared.given);
        while (shared.item) pthread_cond_wait(&shared.stored, &shared.mutex);
    }
    shared.is_over = 1;
    pthread_cond_signal(&shared.given);
    pthread_mutex_unlock(&shared.mutex);
    pthread_join(thread, 0);
    long long time = raw_now() - start;
    sqlite3_finalize(shared.begin);
    sqlite3_finalize(shared.commit);
    sqlite3_finalize(shared.insertion);
    sqlite3_close(database);
    return shared.is_well ? time : -1;
}

static raw_item item_of(sqlite3_stmt *statement) {
    raw_item item = {.id = sqlite3_column_int64(statement, 0), .amount = sqlite3_column_double(statement, 2)};
    const void *text = sqlite3_column_text(statement, 1);
    int length = sqlite3_column_bytes(statement, 1);
    item.name = malloc((size_t)length + 1);
    memcpy(item.name, text, (size_t)length);
    item.name[length] = 0;
    return item;
}

long long raw_read(const char *path, long count) {
    sqlite3 *database = open_database(path, 1);
    if (!database) return -1;
    long long start = raw_now();
    sqlite3_exec(database, "BEGIN", 0, 0, 0);
    sqlite3_stmt *statement = prepare(database, "SELECT id, name, amount FROM item ORDER BY id");
    raw_item *items = 0;
    long used = 0, room = 0;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        if (used == room) items = realloc(items, sizeof(raw_item) * (size_t)(room = room ? 2 * room : 16));
        items[used++] = item_of(statement);
    }
    sqlite3_finalize(statement);
    sqlite3_exec(database, "COMMIT", 0, 0, 0);
    long long time = raw_now() - start;
    for (long index = 0; index < used; index++) free(items[index].name);
    free(items);
    sqlite3_close(database);
    return used == count ? time : -1;
}

long long raw_look_up(const char *path, const long long *ids, long count) {
    sqlite3 *database = open_database(path, 1);
    if (!database) return -1;
    long long start = raw_now();
    sqlite3_exec(database, "BEGIN", 0, 0, 0);
    sqlite3_stmt *statement = prepare(database, "SELECT id, name, amount FROM item WHERE id = ?");
    int is_well = 1;
    for (long index = 0; index < count && is_well; index++) {
        sqlite3_bind_int64(statement, 1, ids[index]);
        is_well = sqlite3_step(statement) == SQLITE_ROW;
        if (is_well) {
            raw_item item = item_of(statement);
            is_well = item.id == ids[index];
            free(item.name);
        }
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    sqlite3_exec(database, "COMMIT", 0, 0, 0);
    long long time = raw_now() - start;
    sqlite3_close(database);
    return is_well ? time : -1;
}
