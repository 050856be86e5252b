// SPDX-License-Identifier: MIT
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <lazy_library.h>
#include <microhttpd.h>
#include <netinet/in.h>
// What Swift's Glibc module leaves out.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#define CMHD_FUNCTIONS(F) \
    F(cmhd, MHD_add_connection) F(cmhd, MHD_add_response_header) F(cmhd, MHD_create_response_for_upgrade) \
    F(cmhd, MHD_create_response_from_buffer) F(cmhd, MHD_create_response_from_callback) F(cmhd, MHD_destroy_response) \
    F(cmhd, MHD_get_connection_info) F(cmhd, MHD_get_connection_values_n) F(cmhd, MHD_get_reason_phrase_for) \
    F(cmhd, MHD_get_version) F(cmhd, MHD_queue_response) F(cmhd, MHD_quiesce_daemon) F(cmhd, MHD_resume_connection) \
    F(cmhd, MHD_set_response_options) F(cmhd, MHD_start_daemon) F(cmhd, MHD_stop_daemon) \
    F(cmhd, MHD_suspend_connection) F(cmhd, MHD_upgrade_action)
CMHD_FUNCTIONS(CLAZY_RENAME)

// Several clang modules include these headers, and Swift finds a constant only through the module that it loaded first.
// The copies belong to this module alone. SocketConstants.swift names them.
static const int cmhd_AF_UNIX = AF_UNIX;
static const int cmhd_AF_INET = AF_INET;
static const int cmhd_AF_INET6 = AF_INET6;
static const int cmhd_SOCK_STREAM = SOCK_STREAM;
static const int cmhd_SOCK_CLOEXEC = SOCK_CLOEXEC;
static const int cmhd_SOCK_NONBLOCK = SOCK_NONBLOCK;
static const int cmhd_MSG_NOSIGNAL = MSG_NOSIGNAL;
static const int cmhd_MSG_DONTWAIT = MSG_DONTWAIT;
static const int cmhd_SHUT_RD = SHUT_RD;
static const int cmhd_SHUT_WR = SHUT_WR;
static const int cmhd_SHUT_RDWR = SHUT_RDWR;

// The type of MHD_OPTION_URI_LOG_CALLBACK and of MHD_OPTION_UNESCAPE_CALLBACK, which have no name in the library.
typedef void *(*cmhd_target_callback)(void *context, const char *target, struct MHD_Connection *connection);
typedef size_t (*cmhd_unescape_callback)(void *context, struct MHD_Connection *connection, char *text);

// MHD_start_daemon is variadic, and an array of options cannot hold functions.
static inline struct MHD_Daemon *cmhd_start(
    unsigned int flags, void *context, MHD_AccessHandlerCallback access, MHD_RequestCompletedCallback completed,
    cmhd_target_callback target, cmhd_unescape_callback unescape, void *connection_context,
    MHD_AcceptPolicyCallback accept, MHD_NotifyConnectionCallback connection, const struct MHD_OptionItem *options) {
    return MHD_start_daemon(
        flags, 0, accept, connection_context, access, context, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_NOTIFY_CONNECTION, connection, connection_context, MHD_OPTION_URI_LOG_CALLBACK, target, context,
        MHD_OPTION_UNESCAPE_CALLBACK, unescape, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

// MHD_get_connection_info is variadic and answers with a pointer to a union.
static inline int cmhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline const struct sockaddr *cmhd_client_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

static inline void *cmhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static inline size_t cmhd_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

// The flags' enumeration has names that Swift cannot tell apart.
static inline unsigned int cmhd_flags(int uses_tls) {
    return MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_ALLOW_UPGRADE | (uses_tls ? MHD_USE_TLS : 0);
}

// MHD_upgrade_action is variadic.
static inline enum MHD_Result cmhd_upgrade_close(struct MHD_UpgradeResponseHandle *handle) {
    return MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

// MHD_set_response_options is variadic. Without a length and without chunks, the end of the connection ends the body.
static inline enum MHD_Result cmhd_end_with_connection(struct MHD_Response *response) {
    return MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

// Macros with casts.
static inline uint64_t cmhd_unknown_size(void) { return MHD_SIZE_UNKNOWN; }
static inline ssize_t cmhd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t cmhd_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

// The event's data is a union.
static inline int cmhd_epoll_add(int epoll, int socket, uint32_t events, uint64_t identifier) {
    struct epoll_event event = {.events = events, .data = {.u64 = identifier}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event);
}

static inline int cmhd_epoll_change(int epoll, int socket, uint32_t events, uint64_t identifier) {
    struct epoll_event event = {.events = events, .data = {.u64 = identifier}};
    return epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event);
}

#endif
