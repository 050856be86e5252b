// SPDX-License-Identifier: MIT
#ifndef PARLEY_CPOSTGRES_SHIM_H
#define PARLEY_CPOSTGRES_SHIM_H

#include <lazy_library.h>
#include <postgresql/libpq-fe.h>
#include <stdint.h>
// What ends a wait for sockets at a moment, which Swift's Glibc module leaves out.
#include <sys/timerfd.h>

#define CPOSTGRES_FUNCTIONS(F) \
    F(cpostgres, PQbackendPID) F(cpostgres, PQcancel) F(cpostgres, PQclear) F(cpostgres, PQcmdStatus) \
    F(cpostgres, PQcmdTuples) F(cpostgres, PQconnectPoll) F(cpostgres, PQconnectStartParams) \
    F(cpostgres, PQconnectionNeedsPassword) F(cpostgres, PQconsumeInput) F(cpostgres, PQenterPipelineMode) \
    F(cpostgres, PQerrorMessage) F(cpostgres, PQfinish) F(cpostgres, PQflush) F(cpostgres, PQfname) \
    F(cpostgres, PQfreeCancel) F(cpostgres, PQfreemem) F(cpostgres, PQftype) F(cpostgres, PQgetCancel) \
    F(cpostgres, PQgetResult) F(cpostgres, PQgetisnull) F(cpostgres, PQgetlength) F(cpostgres, PQgetvalue) \
    F(cpostgres, PQisBusy) F(cpostgres, PQnfields) F(cpostgres, PQnotifies) F(cpostgres, PQntuples) \
    F(cpostgres, PQpipelineSync) F(cpostgres, PQresultErrorField) F(cpostgres, PQresultStatus) \
    F(cpostgres, PQsendPrepare) F(cpostgres, PQsendQueryParams) F(cpostgres, PQsendQueryPrepared) \
    F(cpostgres, PQsetErrorVerbosity) \
    F(cpostgres, PQsetNoticeReceiver) F(cpostgres, PQsetnonblocking) F(cpostgres, PQsocket) F(cpostgres, PQstatus) \
    F(cpostgres, PQtransactionStatus)
CPOSTGRES_FUNCTIONS(CLAZY_RENAME)

// By default, notices of the server go to the standard error.
static inline void cpostgres_ignore_notice(void *context, const PGresult *notice) { (void)context; (void)notice; }
static inline void cpostgres_ignore_notices(PGconn *connection) {
    PQsetNoticeReceiver(connection, cpostgres_ignore_notice, NULL);
}

// The fields of an error are macros with characters.
static inline const char *cpostgres_sql_state(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}
static inline const char *cpostgres_severity(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
}
static inline const char *cpostgres_message(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}
static inline const char *cpostgres_constraint(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
}

// A timer of CLOCK_MONOTONIC; -1 without a descriptor. A moment of 0 would switch it off.
static inline int cpostgres_timer(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC); }
static inline void cpostgres_set_timer(int timer, int64_t nanoseconds) {
    struct itimerspec moment = {{0, 0}, {nanoseconds / 1000000000, nanoseconds % 1000000000}};
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &moment, NULL);
}

#endif
