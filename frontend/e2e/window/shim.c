/*
 * Test only, and part of no release: preloaded into the built window so that WebKitWebDriver can
 * attach to it. WebKitGTK lets a program be driven when its context allows automation, its view was
 * constructed for it, and the view is handed over when a driver asks for one. Wails does none of that
 * and the product must not, so the functions with which a view is made are replaced here.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <webkit2/webkit2.h>

/* Where the driver connects to: host:port. Not WebKit's own name for it, which the window drops. */
#define ADDRESS "WINDOW_DRIVER_ADDRESS"
#define INSPECTOR "WEBKIT_INSPECTOR_SERVER"

static WebKitWebView *view;

/* WebKit's helper processes are left as they are. */
__attribute__((constructor)) static void leave_children_alone(void)
{
    unsetenv("LD_PRELOAD");
}

static WebKitWebView *hand_over(WebKitAutomationSession *session, gpointer data)
{
    (void)session;
    (void)data;
    return view;
}

static void driver_came(WebKitWebContext *context, WebKitAutomationSession *session, gpointer data)
{
    (void)context;
    (void)data;
    g_signal_connect(session, "create-web-view", G_CALLBACK(hand_over), NULL);
}

/* WebKit reads the address in the first call into it and never again. */
static void begin_first_call(void)
{
    const char *address = getenv(ADDRESS);
    if (address != NULL)
        setenv(INSPECTOR, address, 1);
}

static void end_first_call(void)
{
    unsetenv(INSPECTOR);
    unsetenv(ADDRESS);
}

/* The first call of the window. */
WebKitWebContext *webkit_web_context_get_default(void)
{
    WebKitWebContext *(*original)(void) = dlsym(RTLD_NEXT, "webkit_web_context_get_default");
    begin_first_call();
    WebKitWebContext *context = original();
    end_first_call();
    return context;
}

/* The first call of a program that makes a view and nothing before it. */
WebKitUserContentManager *webkit_user_content_manager_new(void)
{
    WebKitUserContentManager *(*original)(void) = dlsym(RTLD_NEXT, "webkit_user_content_manager_new");
    begin_first_call();
    WebKitUserContentManager *manager = original();
    end_first_call();
    return manager;
}

GtkWidget *webkit_web_view_new_with_user_content_manager(WebKitUserContentManager *manager)
{
    WebKitWebContext *context = webkit_web_context_get_default();
    webkit_web_context_set_automation_allowed(context, TRUE);
    g_signal_connect(context, "automation-started", G_CALLBACK(driver_came), NULL);
    view = WEBKIT_WEB_VIEW(g_object_new(WEBKIT_TYPE_WEB_VIEW, "web-context", context, "user-content-manager", manager,
                                        "is-controlled-by-automation", TRUE, NULL));
    return GTK_WIDGET(view);
}
