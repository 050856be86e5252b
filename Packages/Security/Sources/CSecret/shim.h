// SPDX-License-Identifier: MIT
//
// The part of libsecret, GIO and GLib that is called, declared by hand: their pkg-config file has the search paths of their headers,
// and would link them, too. `HeaderAgreementTests` compiles these declarations together with the libraries' own.
#ifndef CSECRET_SHIM_H
#define CSECRET_SHIM_H

#include <lazy_library.h>
#include <stddef.h>

typedef struct _GCancellable GCancellable;
typedef struct _GDBusConnection GDBusConnection;
typedef struct _GDBusProxy GDBusProxy;
typedef struct _GError GError;
typedef struct _GHashTable GHashTable;
typedef struct _GList GList;
typedef struct _SecretCollection SecretCollection;
typedef struct _SecretItem SecretItem;
typedef struct _SecretService SecretService;
typedef struct _SecretValue SecretValue;
#ifndef __G_ERROR_H__
struct _GError {
    unsigned int domain;
    int code;
    char *message;
};
#endif
#ifndef __G_LIST_H__
struct _GList {
    void *data;
    GList *next;
    GList *prev;
};
#endif
#ifndef __SECRET_SCHEMA_H__
typedef struct {
    const char *name;
    unsigned int flags;
    struct {
        const char *name;
        unsigned int type;
    } attributes[32];
    int reserved;
    void *reserved1, *reserved2, *reserved3, *reserved4, *reserved5, *reserved6, *reserved7;
} SecretSchema;
#endif
_Static_assert(sizeof(SecretSchema) == 592 && sizeof(GError) == 16 && sizeof(GList) == 24, "as the libraries have them");

// Enumerators, by names of ours, as the libraries' headers have their own.
enum {
    CSECRET_COLLECTION_NONE = 0,
    CSECRET_SEARCH_ALL = 2,
    CSECRET_SEARCH_LOAD_SECRETS = 8,
    CSECRET_SERVICE_OPEN_SESSION = 2,
    CSECRET_ERROR_IS_LOCKED = 2,
    CSECRET_IO_ERROR_CANCELLED = 19,
};

SecretService *secret_service_open_sync(
    size_t service_type, const char *bus_name, unsigned int flags, GCancellable *cancellable, GError **error);
size_t secret_service_get_type(void);
SecretCollection *secret_collection_for_alias_sync(
    SecretService *service, const char *alias, unsigned int flags, GCancellable *cancellable, GError **error);
int secret_collection_get_locked(SecretCollection *collection);
int secret_service_unlock_sync(
    SecretService *service, GList *objects, GCancellable *cancellable, GList **unlocked, GError **error);
GList *secret_service_search_sync(
    SecretService *service, const SecretSchema *schema, GHashTable *attributes, unsigned int flags,
    GCancellable *cancellable, GError **error);
int secret_service_store_sync(
    SecretService *service, const SecretSchema *schema, GHashTable *attributes, const char *collection, const char *label,
    SecretValue *value, GCancellable *cancellable, GError **error);
int secret_service_clear_sync(
    SecretService *service, const SecretSchema *schema, GHashTable *attributes, GCancellable *cancellable, GError **error);
GHashTable *secret_item_get_attributes(SecretItem *item);
SecretValue *secret_item_get_secret(SecretItem *item);
SecretValue *secret_value_new(const char *secret, long length, const char *content_type);
const char *secret_value_get(SecretValue *value, size_t *length);
void secret_value_unref(void *value);
unsigned int secret_error_get_quark(void);

GCancellable *g_cancellable_new(void);
void g_cancellable_cancel(GCancellable *cancellable);
GDBusConnection *g_dbus_proxy_get_connection(GDBusProxy *proxy);
void g_dbus_connection_set_exit_on_close(GDBusConnection *connection, int exits);
unsigned int g_io_error_quark(void);
void g_error_free(GError *error);
void g_object_unref(void *object);
void g_free(void *memory);
char *g_strdup(const char *text);
GHashTable *g_hash_table_new_full(
    unsigned int (*hash)(const void *key), int (*equal)(const void *left, const void *right), void (*free_key)(void *key),
    void (*free_value)(void *value));
int g_hash_table_insert(GHashTable *table, void *key, void *value);
void *g_hash_table_lookup(GHashTable *table, const void *key);
void g_hash_table_unref(GHashTable *table);
unsigned int g_str_hash(const void *text);
int (g_str_equal)(const void *left, const void *right);
void g_list_free_full(GList *list, void (*free_data)(void *data));

#define CSECRET_FUNCTIONS(F) \
    F(csecret, secret_collection_for_alias_sync) F(csecret, secret_collection_get_locked) F(csecret, secret_error_get_quark) \
    F(csecret, secret_item_get_attributes) F(csecret, secret_item_get_secret) F(csecret, secret_service_clear_sync) \
    F(csecret, secret_service_get_type) F(csecret, secret_service_open_sync) F(csecret, secret_service_search_sync) \
    F(csecret, secret_service_store_sync) F(csecret, secret_service_unlock_sync) F(csecret, secret_value_get) \
    F(csecret, secret_value_new) F(csecret, secret_value_unref) F(csecret, g_cancellable_cancel) \
    F(csecret, g_cancellable_new) F(csecret, g_dbus_connection_set_exit_on_close) F(csecret, g_dbus_proxy_get_connection) \
    F(csecret, g_error_free) F(csecret, g_free) F(csecret, g_hash_table_insert) F(csecret, g_hash_table_lookup) \
    F(csecret, g_hash_table_new_full) F(csecret, g_hash_table_unref) F(csecret, g_io_error_quark) \
    F(csecret, g_list_free_full) F(csecret, g_object_unref) F(csecret, g_str_equal) F(csecret, g_str_hash) \
    F(csecret, g_strdup)
CSECRET_FUNCTIONS(CLAZY_RENAME)

// A schema holds its attributes in a C array inside the struct, which Swift would see as a tuple of 32. No flags; both are strings.
static inline const SecretSchema *csecret_schema(void) {
    static const SecretSchema schema = {"org.parley.Secret", 0, {{"service", 0}, {"account", 0}}};
    return &schema;
}

// secret_attributes_build is variadic. A null service or account is left out.
static inline GHashTable *csecret_attributes(const char *service, const char *account) {
    GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    if (service != NULL) g_hash_table_insert(table, (void *)"service", g_strdup(service));
    if (account != NULL) g_hash_table_insert(table, (void *)"account", g_strdup(account));
    return table;
}

// GDBus ends the process by SIGTERM when the session bus goes away, unless it is told not to.
static inline void csecret_survive_bus(SecretService *service) {
    g_dbus_connection_set_exit_on_close(g_dbus_proxy_get_connection((GDBusProxy *)service), 0);
}

static inline SecretService *csecret_open(GCancellable *cancellable, GError **error) {
    return secret_service_open_sync(
        secret_service_get_type(), NULL, CSECRET_SERVICE_OPEN_SESSION, cancellable, error);
}

// Frees a list of objects.
static inline void csecret_free_objects(GList *list) { g_list_free_full(list, g_object_unref); }

#endif
