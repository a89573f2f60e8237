// What Wails does not give of GTK and WebKit. Everything but native_open runs on the
// thread of the window's loop, or asks that thread to do it.
#ifndef COUNTERSIGN_NATIVE_H
#define COUNTERSIGN_NATIVE_H

#include <stdint.h>

// A rectangle on the screen.
typedef struct {
  int x, y, width, height;
} native_place;

// native_open connects to the display that the session names, and begins GTK and WebKit there; 0
// where it cannot.
int native_open(void);

// native_dark says whether the system draws light on dark.
int native_dark(void);

// native_paint gives windows that are made from now on a colour, which shows until the page
// has drawn.
void native_paint(int red, int green, int blue);

// native_fit shrinks a rectangle to the screen that it is on, and says whether it can be
// seen there at all. Where placed is 0 it is meant for the first screen, wherever there, and
// leaves room for a frame.
int native_fit(native_place *place, int placed);

// native_adopt takes over the program's only window as soon as the loop runs, moves it
// where placed is not 0, and maximises it then: a window that is maximised already does not
// keep the place for later. What happens to it is told with the handle.
void native_adopt(uintptr_t handle, native_place place, int placed, int maximised);

// native_front brings the window before all others.
void native_front(void);

// native_quit ends the loop, and with it the window.
void native_quit(void);

#endif
