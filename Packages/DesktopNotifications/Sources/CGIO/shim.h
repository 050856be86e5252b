// SPDX-License-Identifier: MIT
#ifndef CGIO_SHIM_H
#define CGIO_SHIM_H

#include <gio/gio.h>
#include <gio/gunixfdlist.h>

// g_variant_new is variadic. The arguments of org.freedesktop.Notifications.Notify.
static inline GVariant *cgio_notify_arguments(const char *application, guint32 replaces, const char *icon,
                                              const char *title, const char *body, guint8 urgency,
                                              const char *desktop_entry, gint32 timeout) {
    GVariantBuilder hints;
    g_variant_builder_init(&hints, G_VARIANT_TYPE("a{sv}"));
    g_variant_builder_add(&hints, "{sv}", "urgency", g_variant_new_byte(urgency));
    if (desktop_entry != NULL)
        g_variant_builder_add(&hints, "{sv}", "desktop-entry", g_variant_new_string(desktop_entry));
    return g_variant_new("(susssasa{sv}i)", application, replaces, icon, title, body, NULL, &hints, timeout);
}

// The one number of a reply "(u)".
static inline guint32 cgio_number(GVariant *reply) {
    guint32 number = 0;
    g_variant_get(reply, "(u)", &number);
    return number;
}

// Whether a reply "(as)" has that string.
static inline gboolean cgio_has_string(GVariant *reply, const char *wanted) {
    GVariantIter *strings = NULL;
    const char *string = NULL;
    gboolean found = FALSE;
    g_variant_get(reply, "(as)", &strings);
    while (g_variant_iter_next(strings, "&s", &string)) found = found || g_strcmp0(string, wanted) == 0;
    g_variant_iter_free(strings);
    return found;
}

// G_IO_ERROR is a macro that calls a function.
static inline gboolean cgio_is_timeout(const GError *error) {
    return g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
}

// A connection of its own: the shared one would end the process when the bus goes away.
static inline GDBusConnection *cgio_connect(const char *address, GError **error) {
    return g_dbus_connection_new_for_address_sync(
        address,
        G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
        NULL, NULL, error);
}

// A descriptor that delays sleep until it is closed (logind's Inhibit); -1 if there is none to be had.
static inline int cgio_delay_sleep(GDBusConnection *connection, const char *name, const char *reason, int timeout) {
    GUnixFDList *list = NULL;
    GVariant *reply = g_dbus_connection_call_with_unix_fd_list_sync(
        connection, "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "Inhibit",
        g_variant_new("(ssss)", "sleep", name, reason, "delay"), G_VARIANT_TYPE("(h)"),
        G_DBUS_CALL_FLAGS_NO_AUTO_START, timeout, NULL, &list, NULL, NULL);
    if (reply == NULL) return -1;
    gint32 index = 0;
    g_variant_get(reply, "(h)", &index);
    g_variant_unref(reply);
    int descriptor = list == NULL ? -1 : g_unix_fd_list_get(list, index, NULL);
    g_clear_object(&list);
    return descriptor;
}

#endif
