// SPDX-License-Identifier: MIT
#ifndef CSECRET_SHIM_H
#define CSECRET_SHIM_H

#include <libsecret/secret.h>

// A schema holds its attributes in a C array inside the struct, which Swift would see as a tuple of 32.
static inline const SecretSchema *csecret_schema(void) {
    static const SecretSchema schema = {
        "org.parley.Secret", SECRET_SCHEMA_NONE,
        {{"service", SECRET_SCHEMA_ATTRIBUTE_STRING}, {"account", SECRET_SCHEMA_ATTRIBUTE_STRING}}
    };
    return &schema;
}

// secret_attributes_build is variadic. A null service or account is left out.
static inline GHashTable *csecret_attributes(const char *service, const char *account) {
    GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    if (service != NULL) g_hash_table_insert(table, (gpointer)"service", g_strdup(service));
    if (account != NULL) g_hash_table_insert(table, (gpointer)"account", g_strdup(account));
    return table;
}

// GDBus ends the process by SIGTERM when the session bus goes away, unless it is told not to.
static inline void csecret_survive_bus(SecretService *service) {
    g_dbus_connection_set_exit_on_close(g_dbus_proxy_get_connection(G_DBUS_PROXY(service)), FALSE);
}

// SECRET_TYPE_SERVICE is a macro.
static inline SecretService *csecret_open(GCancellable *cancellable, GError **error) {
    return secret_service_open_sync(SECRET_TYPE_SERVICE, NULL, SECRET_SERVICE_OPEN_SESSION, cancellable, error);
}

#endif
