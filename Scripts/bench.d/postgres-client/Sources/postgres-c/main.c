// SPDX-License-Identifier: MIT
//
// libpq's blocking interface with prepared statements and binary values, as a C program uses it: the bar of the benchmark.
// usage: postgres-c URL MEASUREMENT COUNT; prints statements a second.
#include <libpq-fe.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *url;
static int is_select, in_transactions, threads = 1;
static long count;

static void check(PGresult *result, ExecStatusType wanted, PGconn *connection) {
    if (PQresultStatus(result) != wanted) {
        fprintf(stderr, "postgres-c: %s", PQerrorMessage(connection));
        exit(1);
    }
}

static void run(PGconn *connection, const char *text) {
    PGresult *result = PQexec(connection, text);
    check(result, PGRES_COMMAND_OK, connection);
    PQclear(result);
}

// BEGIN and COMMIT are prepared too, as a client that repeats them would do.
static void repeat(PGconn *connection, const char *name) {
    PGresult *result = PQexecPrepared(connection, name, 0, NULL, NULL, NULL, 1);
    check(result, PGRES_COMMAND_OK, connection);
    PQclear(result);
}

static void statement(PGconn *connection, long number) {
    int64_t id = __builtin_bswap64((uint64_t)(is_select ? labs(number) % 1000 : number));
    const char *values[] = {(const char *)&id, "a body of a few words"};
    int lengths[] = {8, 0}, formats[] = {1, 0};
    PGresult *result = PQexecPrepared(connection, "s", is_select ? 1 : 2, values, lengths, formats, 1);
    if (is_select) {
        check(result, PGRES_TUPLES_OK, connection);
        // A copy of the text, since a program keeps it.
        char *body = strdup(PQgetvalue(result, 0, 1));
        if (memcmp(PQgetvalue(result, 0, 0), &id, 8) != 0 || body[0] == 0) exit(1);
        free(body);
    } else {
        check(result, PGRES_COMMAND_OK, connection);
    }
    PQclear(result);
}

static void one(PGconn *connection, long number) {
    if (in_transactions) repeat(connection, "b");
    statement(connection, number);
    if (in_transactions) repeat(connection, "c");
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static pthread_barrier_t barrier;

static void *worker(void *context) {
    long first = (long)(intptr_t)context;
    PGconn *connection = PQconnectdb(url);
    if (PQstatus(connection) != CONNECTION_OK) {
        fprintf(stderr, "postgres-c: %s", PQerrorMessage(connection));
        exit(1);
    }
    PQclear(PQprepare(
        connection, "s",
        is_select ? "SELECT id, body FROM item WHERE id = $1" : "INSERT INTO note (id, body) VALUES ($1, $2)", 0, NULL));
    PQclear(PQprepare(
        connection, "b",
        is_select ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN ISOLATION LEVEL READ COMMITTED", 0, NULL));
    PQclear(PQprepare(connection, "c", "COMMIT", 0, NULL));
    one(connection, -1 - first);
    if (!in_transactions) run(connection, "BEGIN");
    pthread_barrier_wait(&barrier);
    for (long number = first; number < count; number += threads) one(connection, number);
    pthread_barrier_wait(&barrier);
    if (!in_transactions) run(connection, "ROLLBACK");
    PQfinish(connection);
    return NULL;
}

int main(int number, char **arguments) {
    if (number != 4) return 2;
    url = arguments[1];
    is_select = strncmp(arguments[2], "select", 6) == 0;
    in_transactions = strstr(arguments[2], "transaction") != NULL;
    threads = strstr(arguments[2], "-8") != NULL ? 8 : 1;
    count = atol(arguments[3]);
    pthread_barrier_init(&barrier, NULL, (unsigned)threads + 1);
    pthread_t handles[8];
    for (long index = 0; index < threads; index++) {
        if (pthread_create(&handles[index], NULL, worker, (void *)(intptr_t)index) != 0) return 1;
    }
    pthread_barrier_wait(&barrier);
    double start = now();
    pthread_barrier_wait(&barrier);
    double time = now() - start;
    for (int index = 0; index < threads; index++) pthread_join(handles[index], NULL);
    printf("%f\n", (double)count / time);
    return 0;
}
