// SPDX-License-Identifier: MIT
//
// The part of GIO and GLib that is called, declared by hand: its pkg-config file has the search paths of its headers, and would
// link it, too. `HeaderAgreementTests` compiles these declarations together with the library's own.
#ifndef CGIO_SHIM_H
#define CGIO_SHIM_H

#include <fcntl.h>
#include <lazy_library.h>
#include <stddef.h>
#include <string.h>

typedef struct _GCancellable GCancellable;
typedef struct _GDBusAuthObserver GDBusAuthObserver;
typedef struct _GDBusConnection GDBusConnection;
typedef struct _GDBusMessage GDBusMessage;
typedef struct _GError GError;
typedef struct _GIOStream GIOStream;
typedef struct _GSocket GSocket;
typedef struct _GSocketConnection GSocketConnection;
typedef struct _GUnixFDList GUnixFDList;
typedef struct _GVariant GVariant;
typedef struct _GVariantBuilder GVariantBuilder;
typedef struct _GVariantIter GVariantIter;
typedef struct _GVariantType GVariantType;
#ifndef __G_ERROR_H__
struct _GError {
    unsigned int domain;
    int code;
    char *message;
};
#endif
_Static_assert(sizeof(GError) == 16, "as the library has it");

// Enumerators, by names of ours, as the library's headers have their own.
enum {
    CGIO_CALL_FLAGS_NONE = 0,
    CGIO_CALL_FLAGS_NO_AUTO_START = 1,
    CGIO_MESSAGE_TYPE_SIGNAL = 4,
    CGIO_CLASS_BOOLEAN = 'b',
    CGIO_CLASS_STRING = 's',
    CGIO_CONNECTION_FLAGS = 1 | 8,  // AUTHENTICATION_CLIENT | MESSAGE_BUS_CONNECTION
    CGIO_ERROR_TIMED_OUT = 24,
};

GCancellable *g_cancellable_new(void);
void g_cancellable_cancel(GCancellable *cancellable);

GDBusConnection *g_dbus_connection_new_for_address_sync(
    const char *address, unsigned int flags, GDBusAuthObserver *observer, GCancellable *cancellable, GError **error);
int g_dbus_connection_is_closed(GDBusConnection *connection);
GIOStream *g_dbus_connection_get_stream(GDBusConnection *connection);
GSocket *g_socket_connection_get_socket(GSocketConnection *connection);
int g_socket_get_fd(GSocket *socket);
GVariant *g_dbus_connection_call_sync(
    GDBusConnection *connection, const char *bus_name, const char *object_path, const char *interface_name,
    const char *method_name, GVariant *parameters, const GVariantType *reply_type, unsigned int flags, int timeout_msec,
    GCancellable *cancellable, GError **error);
GVariant *g_dbus_connection_call_with_unix_fd_list_sync(
    GDBusConnection *connection, const char *bus_name, const char *object_path, const char *interface_name,
    const char *method_name, GVariant *parameters, const GVariantType *reply_type, unsigned int flags, int timeout_msec,
    GUnixFDList *fd_list, GUnixFDList **out_fd_list, GCancellable *cancellable, GError **error);
unsigned int g_dbus_connection_add_filter(
    GDBusConnection *connection,
    GDBusMessage *(*filter)(GDBusConnection *connection, GDBusMessage *message, int is_incoming, void *context),
    void *context, void (*release)(void *context));
void g_dbus_connection_remove_filter(GDBusConnection *connection, unsigned int filter);
unsigned int g_dbus_message_get_message_type(GDBusMessage *message);
const char *g_dbus_message_get_destination(GDBusMessage *message);
const char *g_dbus_message_get_member(GDBusMessage *message);
const char *g_dbus_message_get_path(GDBusMessage *message);
GVariant *g_dbus_message_get_body(GDBusMessage *message);

int g_unix_fd_list_get(GUnixFDList *list, int index, GError **error);

// In brackets, since the library has a macro of that name.
void *(g_object_ref)(void *object);
void g_object_unref(void *object);
void g_error_free(GError *error);
void g_free(void *memory);
char *g_dbus_error_get_remote_error(const GError *error);
int g_error_matches(const GError *error, unsigned int domain, int code);
unsigned int g_io_error_quark(void);

GVariant *g_variant_new(const char *format, ...);
GVariant *g_variant_new_byte(unsigned char value);
GVariant *g_variant_new_string(const char *value);
GVariant *g_variant_new_tuple(GVariant *const *children, size_t count);
GVariant *g_variant_new_uint32(unsigned int value);
void g_variant_unref(GVariant *value);
unsigned int g_variant_classify(GVariant *value);
int g_variant_is_container(GVariant *value);
size_t g_variant_n_children(GVariant *value);
GVariant *g_variant_get_child_value(GVariant *value, size_t index);
int g_variant_get_boolean(GVariant *value);
unsigned char g_variant_get_byte(GVariant *value);
short g_variant_get_int16(GVariant *value);
unsigned short g_variant_get_uint16(GVariant *value);
int g_variant_get_int32(GVariant *value);
unsigned int g_variant_get_uint32(GVariant *value);
long g_variant_get_int64(GVariant *value);
unsigned long g_variant_get_uint64(GVariant *value);
double g_variant_get_double(GVariant *value);
int g_variant_is_object_path(const char *text);
int g_dbus_is_name(const char *text);
int g_dbus_is_interface_name(const char *text);
int g_dbus_is_member_name(const char *text);
GVariant *g_variant_new_boolean(int value);
GVariant *g_variant_new_variant(GVariant *value);
const char *g_variant_get_string(GVariant *value, size_t *length);
const char *g_variant_get_type_string(GVariant *value);
void g_variant_get(GVariant *value, const char *format, ...);
int g_variant_iter_next(GVariantIter *iterator, const char *format, ...);
void g_variant_iter_free(GVariantIter *iterator);
GVariantBuilder *g_variant_builder_new(const GVariantType *type);
void g_variant_builder_add(GVariantBuilder *builder, const char *format, ...);
void g_variant_builder_unref(GVariantBuilder *builder);
GVariantType *g_variant_type_new(const char *text);
void g_variant_type_free(GVariantType *type);

#define CGIO_FUNCTIONS(F) \
    F(cgio, g_dbus_message_get_path) F(cgio, g_free) F(cgio, g_dbus_error_get_remote_error) F(cgio, g_variant_get_byte) \
    F(cgio, g_variant_get_int16) F(cgio, g_variant_get_uint16) F(cgio, g_variant_get_int32) F(cgio, g_variant_get_uint32) \
    F(cgio, g_variant_get_int64) F(cgio, g_variant_get_uint64) F(cgio, g_variant_get_double) F(cgio, g_variant_is_object_path) \
    F(cgio, g_dbus_connection_get_stream) F(cgio, g_socket_connection_get_socket) F(cgio, g_socket_get_fd) \
    F(cgio, g_dbus_is_name) F(cgio, g_dbus_is_interface_name) F(cgio, g_dbus_is_member_name) \
    F(cgio, g_variant_new_boolean) F(cgio, g_variant_new_variant) \
    F(cgio, g_cancellable_new) F(cgio, g_cancellable_cancel) \
    F(cgio, g_dbus_connection_add_filter) F(cgio, g_dbus_connection_call_sync) \
    F(cgio, g_dbus_connection_call_with_unix_fd_list_sync) F(cgio, g_unix_fd_list_get) F(cgio, g_dbus_connection_is_closed) \
    F(cgio, g_dbus_connection_new_for_address_sync) F(cgio, g_dbus_connection_remove_filter) \
    F(cgio, g_dbus_message_get_body) F(cgio, g_dbus_message_get_destination) F(cgio, g_dbus_message_get_member) \
    F(cgio, g_dbus_message_get_message_type) F(cgio, g_error_free) F(cgio, g_error_matches) F(cgio, g_io_error_quark) \
    F(cgio, g_object_ref) F(cgio, g_object_unref) F(cgio, g_variant_builder_add) F(cgio, g_variant_builder_new) F(cgio, g_variant_builder_unref) \
    F(cgio, g_variant_classify) F(cgio, g_variant_get) F(cgio, g_variant_get_boolean) F(cgio, g_variant_get_child_value) \
    F(cgio, g_variant_get_string) F(cgio, g_variant_get_type_string) F(cgio, g_variant_is_container) F(cgio, g_variant_iter_free) F(cgio, g_variant_iter_next) \
    F(cgio, g_variant_n_children) F(cgio, g_variant_new) F(cgio, g_variant_new_byte) F(cgio, g_variant_new_string) \
    F(cgio, g_variant_new_tuple) F(cgio, g_variant_new_uint32) F(cgio, g_variant_type_free) F(cgio, g_variant_type_new) \
    F(cgio, g_variant_unref)
CGIO_FUNCTIONS(CLAZY_RENAME)

// The key of a notification's one action.
#define CGIO_ACTION "act"
// NotificationClosed's reason for a notification that a person dismissed.
enum { CGIO_CLOSED_BY_PERSON = 2 };

// g_variant_new is variadic. The arguments of org.freedesktop.Notifications.Notify.
static inline GVariant *cgio_notify_arguments(const char *application, unsigned int replaces, const char *icon,
                                              const char *title, const char *body, const char *action,
                                              unsigned char urgency, const char *desktop_entry, int timeout) {
    GVariantBuilder *actions = g_variant_builder_new((const GVariantType *)"as");
    if (action != NULL) {
        g_variant_builder_add(actions, "s", CGIO_ACTION);
        g_variant_builder_add(actions, "s", action);
    }
    GVariantBuilder *hints = g_variant_builder_new((const GVariantType *)"a{sv}");
    g_variant_builder_add(hints, "{sv}", "urgency", g_variant_new_byte(urgency));
    if (desktop_entry != NULL)
        g_variant_builder_add(hints, "{sv}", "desktop-entry", g_variant_new_string(desktop_entry));
    GVariant *arguments =
        g_variant_new("(susssasa{sv}i)", application, replaces, icon, title, body, actions, hints, timeout);
    g_variant_builder_unref(actions);
    g_variant_builder_unref(hints);
    return arguments;
}

// The one number of a reply "(u)".
static inline unsigned int cgio_number(GVariant *reply) {
    unsigned int number = 0;
    g_variant_get(reply, "(u)", &number);
    return number;
}

// The notification whose action a person chose, or which a person dismissed; 0 for any other message.
static inline unsigned int cgio_chosen(GDBusMessage *message) {
    const char *member = g_dbus_message_get_member(message);
    GVariant *body = g_dbus_message_get_body(message);
    if (g_dbus_message_get_message_type(message) != CGIO_MESSAGE_TYPE_SIGNAL || member == NULL || body == NULL ||
        g_variant_n_children(body) != 2)
        return 0;
    unsigned int number = 0, reason = 0;
    const char *key = NULL;
    // The types come from another program, and reading a value as another type ends the process.
    const char *type = g_variant_get_type_string(body);
    if (strcmp(member, "ActionInvoked") == 0 && strcmp(type, "(us)") == 0) {
        g_variant_get(body, "(u&s)", &number, &key);
        return strcmp(key, CGIO_ACTION) == 0 ? number : 0;
    }
    if (strcmp(member, "NotificationClosed") == 0 && strcmp(type, "(uu)") == 0) {
        g_variant_get(body, "(uu)", &number, &reason);
        return reason == CGIO_CLOSED_BY_PERSON ? number : 0;
    }
    return 0;
}

// Whether a reply "(as)" has that string.
static inline int cgio_has_string(GVariant *reply, const char *wanted) {
    GVariantIter *strings = NULL;
    const char *string = NULL;
    int found = 0;
    g_variant_get(reply, "(as)", &strings);
    while (g_variant_iter_next(strings, "&s", &string)) found = found || strcmp(string, wanted) == 0;
    g_variant_iter_free(strings);
    return found;
}

// Whether a message is that signal of that object, as the bus broadcasts it to those with its rule. Any program may have sent a
// message that is addressed only to this one.
static inline int cgio_is_signal(GDBusMessage *message, const char *path, const char *name) {
    const char *from = g_dbus_message_get_path(message), *member = g_dbus_message_get_member(message);
    return g_dbus_message_get_message_type(message) == CGIO_MESSAGE_TYPE_SIGNAL &&
           g_dbus_message_get_destination(message) == NULL && from != NULL && member != NULL && strcmp(from, path) == 0 &&
           strcmp(member, name) == 0;
}

static inline int cgio_is_timeout(const GError *error) {
    return g_error_matches(error, g_io_error_quark(), CGIO_ERROR_TIMED_OUT);
}

// A connection of its own: the shared one would end the process when the bus goes away.
static inline GDBusConnection *cgio_connect(const char *address, GCancellable *cancellable, GError **error) {
    return g_dbus_connection_new_for_address_sync(address, CGIO_CONNECTION_FLAGS, NULL, cancellable, error);
}

// A copy of the connection's socket, for the caller to close; -1 if the connection is closed.
static inline int cgio_descriptor(GDBusConnection *connection) {
    GSocket *socket = g_socket_connection_get_socket((GSocketConnection *)g_dbus_connection_get_stream(connection));
    return fcntl(g_socket_get_fd(socket), F_DUPFD_CLOEXEC, 0);
}

// A descriptor that delays sleep until it is closed (logind's Inhibit); -1 if there is none to be had.
static inline int cgio_delay_sleep(GDBusConnection *connection, const char *name, const char *reason, int timeout) {
    GUnixFDList *list = NULL;
    GVariant *reply = g_dbus_connection_call_with_unix_fd_list_sync(
        connection, "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "Inhibit",
        g_variant_new("(ssss)", "sleep", name, reason, "delay"), (const GVariantType *)"(h)",
        CGIO_CALL_FLAGS_NO_AUTO_START, timeout, NULL, &list, NULL, NULL);
    if (reply == NULL) return -1;
    int index = 0;
    g_variant_get(reply, "(h)", &index);
    g_variant_unref(reply);
    int descriptor = list == NULL ? -1 : g_unix_fd_list_get(list, index, NULL);
    if (list != NULL) g_object_unref(list);
    return descriptor;
}

#endif
