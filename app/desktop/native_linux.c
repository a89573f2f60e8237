//go:build linux && production

#include "native_linux.h"

#include <gtk/gtk.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <webkit2/webkit2.h>

#ifdef GDK_WINDOWING_X11
#include <gdk/gdkx.h>
#endif

// The page's own address. Nothing else is ever shown in the window.
static const char own[] = "wails://wails/";
// What is shown when the page has ended too often: a page without scripts.
static const char broken[] = "wails://wails/broken";

// How often the page may end within a minute before it is not loaded again.
enum { most_ends = 3, span_seconds = 60 };

// How much of a window's upper edge must be on a screen, so that it can be taken hold of.
enum { grip_width = 96, grip_height = 24 };

// How long after the window the page has long been there.
enum { started_seconds = 4 };

// What a frame takes at most of a screen, in pixels.
enum { frame_width = 16, frame_height = 56 };

// In Go.
extern void nativeMoved(uintptr_t handle, native_place place, int maximised, int has_place);
extern void nativeFronted(uintptr_t handle, int in_front);
extern void nativeEnded(uintptr_t handle, int reason);

typedef struct {
  uintptr_t handle;
  native_place place;
  int placed, maximised;
} adoption;

int native_open(void) {
  if (!gtk_init_check(NULL, NULL)) return 0;
  // The first window would wait for both.
  gtk_settings_get_default();
  webkit_web_context_get_default();
  return 1;
}

static gboolean ends_dark(const char *name) {
  if (!name) return FALSE;
  gchar *low = g_ascii_strdown(name, -1);
  gboolean dark = g_str_has_suffix(low, "-dark") || g_str_has_suffix(low, ":dark");
  g_free(low);
  return dark;
}

// As WebKit itself finds out what prefers-color-scheme is.
int native_dark(void) {
  const char *theme = g_getenv("GTK_THEME");
  if (theme && *theme) return ends_dark(theme);
  gboolean prefers = FALSE;
  gchar *name = NULL;
  g_object_get(gtk_settings_get_default(), "gtk-application-prefer-dark-theme", &prefers, "gtk-theme-name", &name, NULL);
  gboolean dark = prefers || ends_dark(name);
  g_free(name);
  return dark;
}

void native_paint(int red, int green, int blue) {
  GtkCssProvider *provider = gtk_css_provider_new();
  gchar *css = g_strdup_printf("window.background { background-color: rgb(%d, %d, %d); }", red, green, blue);
  gtk_css_provider_load_from_data(provider, css, -1, NULL);
  gtk_style_context_add_provider_for_screen(gdk_screen_get_default(), GTK_STYLE_PROVIDER(provider),
                                            GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_free(css);
  g_object_unref(provider);
}

static gboolean holds(GdkRectangle area, native_place p) {
  GdkRectangle edge = {p.x, p.y, p.width, grip_height}, seen;
  return gdk_rectangle_intersect(&area, &edge, &seen) && seen.width >= grip_width && seen.height >= grip_height;
}

int native_fit(native_place *place, int placed) {
  GdkDisplay *display = gdk_display_get_default();
  GdkMonitor *monitor = NULL;
  for (int i = 0; placed && !monitor && i < gdk_display_get_n_monitors(display); i++) {
    GdkRectangle area;
    gdk_monitor_get_workarea(gdk_display_get_monitor(display, i), &area);
    if (holds(area, *place)) monitor = gdk_display_get_monitor(display, i);
  }
  int seen = monitor != NULL;
  if (!monitor) monitor = gdk_display_get_primary_monitor(display);
  if (!monitor) monitor = gdk_display_get_monitor(display, 0);
  if (!monitor) return 0;
  GdkRectangle area;
  gdk_monitor_get_workarea(monitor, &area);
  // How large the frame is that the window gets is not known before it is there. Whoever left
  // a window somewhere saw it there; one without a place must not hang over the edge.
  place->width = MIN(place->width, area.width - (seen ? 0 : frame_width));
  place->height = MIN(place->height, area.height - (seen ? 0 : frame_height));
  return seen;
}

// The window has no other toplevel of its own that holds a view.
static void find_view(GtkWidget *widget, gpointer found) {
  if (WEBKIT_IS_WEB_VIEW(widget))
    *(GtkWidget **)found = widget;
  else if (GTK_IS_CONTAINER(widget))
    gtk_container_forall(GTK_CONTAINER(widget), find_view, found);
}

static GtkWindow *own_window(WebKitWebView **view) {
  GtkWindow *window = NULL;
  GList *all = gtk_window_list_toplevels();
  for (GList *one = all; one && !window; one = one->next) {
    GtkWidget *found = NULL;
    find_view(GTK_WIDGET(one->data), &found);
    if (!found) continue;
    window = GTK_WINDOW(one->data);
    if (view) *view = WEBKIT_WEB_VIEW(found);
  }
  g_list_free(all);
  return window;
}

// Only on X11 does a window know where it is.
static int knows_place(GtkWindow *window) {
#ifdef GDK_WINDOWING_X11
  return GDK_IS_X11_DISPLAY(gtk_widget_get_display(GTK_WIDGET(window)));
#else
  return 0;
#endif
}

static void tell(GtkWindow *window, uintptr_t handle) {
  native_place p;
  gtk_window_get_position(window, &p.x, &p.y);
  gtk_window_get_size(window, &p.width, &p.height);
  nativeMoved(handle, p, gtk_window_is_maximized(window), knows_place(window));
}

static gboolean on_change(GtkWidget *window, GdkEvent *event, gpointer handle) {
  tell(GTK_WINDOW(window), (uintptr_t)handle);
  return FALSE;
}

// A window that is minimised, covered by the one in use or on another desktop is not active.
static void on_active(GtkWindow *window, GParamSpec *spec, gpointer handle) {
  nativeFronted((uintptr_t)handle, gtk_window_is_active(window));
}

// Nothing but the page itself is shown, and nothing opens a second window.
static gboolean on_policy(WebKitWebView *view, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type, gpointer data) {
  if (type == WEBKIT_POLICY_DECISION_TYPE_NEW_WINDOW_ACTION) {
    webkit_policy_decision_ignore(decision);
    return TRUE;
  }
  if (type != WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION) return FALSE;
  WebKitNavigationAction *action =
      webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
  const char *uri = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
  if (uri && g_str_has_prefix(uri, own)) return FALSE;
  webkit_policy_decision_ignore(decision);
  return TRUE;
}

// The page needs no camera, no place and no notification of its own.
static gboolean on_permission(WebKitWebView *view, WebKitPermissionRequest *request, gpointer data) {
  webkit_permission_request_deny(request);
  return TRUE;
}

static gboolean on_file_chooser(WebKitWebView *view, WebKitFileChooserRequest *request, gpointer data) { return TRUE; }

// The menu has what belongs to text, and is not shown where nothing of that applies.
static gboolean on_menu(WebKitWebView *view, WebKitContextMenu *menu, GdkEvent *event, WebKitHitTestResult *hit, gpointer data) {
  GList *items = g_list_copy(webkit_context_menu_get_items(menu));
  for (GList *one = items; one; one = one->next) {
    WebKitContextMenuItem *item = one->data;
    switch (webkit_context_menu_item_get_stock_action(item)) {
      case WEBKIT_CONTEXT_MENU_ACTION_COPY:
      case WEBKIT_CONTEXT_MENU_ACTION_CUT:
      case WEBKIT_CONTEXT_MENU_ACTION_PASTE:
      case WEBKIT_CONTEXT_MENU_ACTION_SELECT_ALL:
        break;
      default:
        webkit_context_menu_remove(menu, item);
    }
  }
  g_list_free(items);
  return webkit_context_menu_get_n_items(menu) == 0;
}

static void on_title(WebKitWebView *view, GParamSpec *spec, gpointer window) {
  const char *title = webkit_web_view_get_title(view);
  if (title && *title) gtk_window_set_title(GTK_WINDOW(window), title);
}

static gboolean load_again(gpointer view) {
  gint64 *ends = g_object_get_data(G_OBJECT(view), "countersign-ends");
  gint64 now = g_get_monotonic_time();
  int few = now - ends[0] > (gint64)span_seconds * G_USEC_PER_SEC;
  memmove(ends, ends + 1, (most_ends - 1) * sizeof *ends);
  ends[most_ends - 1] = now;
  webkit_web_view_load_uri(view, few ? own : broken);
  g_object_unref(view);
  return G_SOURCE_REMOVE;
}

// The page's own process is gone, and the window shows nothing: load it again.
static void on_end(WebKitWebView *view, WebKitWebProcessTerminationReason reason, gpointer handle) {
  nativeEnded((uintptr_t)handle, reason);
  g_idle_add(load_again, g_object_ref(view));
}

// What starting took is given back once the page has long been there. One page of our own is
// shown, so there is nothing to go back to and nothing to fetch twice; but a page that comes in
// without a cache fetches each of its files twice, once ahead and once when it gets to it.
static gboolean give_back(gpointer view) {
  webkit_web_context_set_cache_model(webkit_web_view_get_context(WEBKIT_WEB_VIEW(view)), WEBKIT_CACHE_MODEL_DOCUMENT_VIEWER);
  g_object_unref(view);
#ifdef __GLIBC__
  // The allocator would keep it for as long as the window is open.
  malloc_trim(0);
#endif
  return G_SOURCE_REMOVE;
}

static gboolean adopt(gpointer data) {
  adoption *a = data;
  WebKitWebView *view = NULL;
  GtkWindow *window = own_window(&view);
  if (window) {
    gpointer handle = (gpointer)a->handle;
    gint64 *ends = g_new(gint64, most_ends);
    for (int i = 0; i < most_ends; i++) ends[i] = G_MININT64 / 2;
    g_object_set_data_full(G_OBJECT(view), "countersign-ends", ends, g_free);
    g_timeout_add_seconds(started_seconds, give_back, g_object_ref(view));
    g_signal_connect(window, "configure-event", G_CALLBACK(on_change), handle);
    g_signal_connect(window, "window-state-event", G_CALLBACK(on_change), handle);
    g_signal_connect(window, "notify::is-active", G_CALLBACK(on_active), handle);
    on_active(window, NULL, handle);
    g_signal_connect(view, "decide-policy", G_CALLBACK(on_policy), NULL);
    g_signal_connect(view, "permission-request", G_CALLBACK(on_permission), NULL);
    g_signal_connect(view, "run-file-chooser", G_CALLBACK(on_file_chooser), NULL);
    g_signal_connect(view, "context-menu", G_CALLBACK(on_menu), NULL);
    g_signal_connect(view, "notify::title", G_CALLBACK(on_title), window);
    g_signal_connect(view, "web-process-terminated", G_CALLBACK(on_end), handle);
    if (a->placed) gtk_window_move(window, a->place.x, a->place.y);
    if (a->maximised) gtk_window_maximize(window);
  }
  g_free(a);
  return G_SOURCE_REMOVE;
}

void native_adopt(uintptr_t handle, native_place place, int placed, int maximised) {
  adoption *a = g_new(adoption, 1);
  *a = (adoption){handle, place, placed, maximised};
  g_idle_add(adopt, a);
}

static gboolean front(gpointer data) {
  GtkWindow *window = own_window(NULL);
  if (!window) return G_SOURCE_REMOVE;
  guint32 now = GDK_CURRENT_TIME;
#ifdef GDK_WINDOWING_X11
  // A window manager holds an old time against a window that wants the front.
  GdkWindow *drawn = gtk_widget_get_window(GTK_WIDGET(window));
  if (drawn && GDK_IS_X11_WINDOW(drawn)) now = gdk_x11_get_server_time(drawn);
#endif
  gtk_window_present_with_time(window, now);
  return G_SOURCE_REMOVE;
}

void native_front(void) { g_idle_add(front, NULL); }

static gboolean quit(gpointer data) {
  gtk_main_quit();
  return G_SOURCE_REMOVE;
}

void native_quit(void) { g_idle_add(quit, NULL); }
