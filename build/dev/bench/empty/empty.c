/*
 * The least that a window of this kind costs: GTK, a web view with the settings of the product's, and a
 * page with one word. `make bench` puts the product's start and memory beside it.
 */
#include <webkit2/webkit2.h>

static const char page[] = "<!doctype html><html lang=en><title>empty</title><nav aria-label=Views>empty</nav>";

int main(int argc, char **argv)
{
    gtk_init(&argc, &argv);
    GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
    gtk_window_set_default_size(GTK_WINDOW(window), 1280, 800);
    g_signal_connect(window, "destroy", G_CALLBACK(gtk_main_quit), NULL);

    WebKitUserContentManager *manager = webkit_user_content_manager_new();
    GtkWidget *view = webkit_web_view_new_with_user_content_manager(manager);
    WebKitSettings *settings = webkit_web_view_get_settings(WEBKIT_WEB_VIEW(view));
    webkit_settings_set_hardware_acceleration_policy(settings, WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER);
    gtk_container_add(GTK_CONTAINER(window), view);
    webkit_web_view_load_html(WEBKIT_WEB_VIEW(view), page, "about:blank");
    gtk_widget_show_all(window);
    gtk_main();
    return 0;
}
