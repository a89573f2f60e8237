// Package media says what an image is: the handle that names it, and by its bytes which of the
// four types it has and how many pixels. It draws nothing and trusts no word about an image:
// whoever shows one must know beforehand how much room it takes when it is drawn, since a few
// bytes can stand for gigabytes of pixels.
//
// Where images lie is the output store's to know.
package media
