// SPDX-License-Identifier: MIT
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

// The checks of curl's type-checking macros want the variadic calls themselves.
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#include <lazy_library.h>

#define CCURL_FUNCTIONS(F) \
    F(ccurl, curl_easy_cleanup) F(ccurl, curl_easy_getinfo) F(ccurl, curl_easy_init) F(ccurl, curl_easy_pause) \
    F(ccurl, curl_easy_perform) F(ccurl, curl_easy_recv) F(ccurl, curl_easy_reset) F(ccurl, curl_easy_send) \
    F(ccurl, curl_easy_setopt) F(ccurl, curl_easy_strerror) F(ccurl, curl_global_init) F(ccurl, curl_multi_add_handle) \
    F(ccurl, curl_multi_cleanup) F(ccurl, curl_multi_info_read) F(ccurl, curl_multi_init) F(ccurl, curl_multi_remove_handle) \
    F(ccurl, curl_multi_setopt) F(ccurl, curl_multi_socket_action) F(ccurl, curl_slist_append) F(ccurl, curl_slist_free_all)
CCURL_FUNCTIONS(CLAZY_RENAME)

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic.
static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*ccurl_data_callback)(char *data, size_t size, size_t count, void *context);
static inline CURLcode ccurl_set_data_callback(CURL *handle, CURLoption option, ccurl_data_callback callback) {
    return curl_easy_setopt(handle, option, callback);
}

typedef int (*ccurl_seek_callback)(void *context, curl_off_t offset, int origin);
static inline CURLcode ccurl_set_seek_callback(CURL *handle, ccurl_seek_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, callback);
}

typedef int (*ccurl_request_callback)(void *context, char *remote, char *local, int remote_port, int local_port);
static inline CURLcode ccurl_set_request_callback(CURL *handle, ccurl_request_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

typedef int (*ccurl_progress_callback)(
    void *context, curl_off_t down_total, curl_off_t down, curl_off_t up_total, curl_off_t up);
static inline CURLcode ccurl_set_progress_callback(CURL *handle, ccurl_progress_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, callback);
}

static inline CURLcode ccurl_set_host_key_callback(CURL *handle, curl_sshkeycallback callback) {
    return curl_easy_setopt(handle, CURLOPT_SSH_KEYFUNCTION, callback);
}

static inline CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_string(CURL *handle, CURLINFO info, char **value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_socket(CURL *handle, curl_socket_t *value) {
    return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, value);
}

static inline CURLcode ccurl_get_certificates(CURL *handle, struct curl_certinfo **value) {
    return curl_easy_getinfo(handle, CURLINFO_CERTINFO, value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *handle, CURLMoption option, long value) {
    return curl_multi_setopt(handle, option, value);
}

static inline void ccurl_multi_set_callbacks(
    CURLM *handle, void *context, curl_socket_callback socket, curl_multi_timer_callback timer) {
    curl_multi_setopt(handle, CURLMOPT_SOCKETFUNCTION, socket);
    curl_multi_setopt(handle, CURLMOPT_SOCKETDATA, context);
    curl_multi_setopt(handle, CURLMOPT_TIMERFUNCTION, timer);
    curl_multi_setopt(handle, CURLMOPT_TIMERDATA, context);
}

// Constants of a type in some releases of libcurl, macros in others.
enum { ccurl_use_ssl_none = CURLUSESSL_NONE, ccurl_use_ssl_all = CURLUSESSL_ALL };

// A union member, which Swift imports as a computed property that reads through an unaligned pointer.
static inline CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }

// CURL_GLOBAL_DEFAULT and the pause masks are macros with casts.
static inline CURLcode ccurl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
static inline CURLcode ccurl_unpause(CURL *handle) { return curl_easy_pause(handle, CURLPAUSE_CONT); }
static inline CURLcode ccurl_pause(CURL *handle, int receiving, int sending) {
    return curl_easy_pause(handle, (receiving ? CURLPAUSE_RECV : 0) | (sending ? CURLPAUSE_SEND : 0));
}

#endif
