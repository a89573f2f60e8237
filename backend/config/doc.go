// Package config knows where the product lives and what its settings are. It is the one
// place that reads the environment and config.json.
//
// A setting is one row of Fields: key, default, range and sentence. A value that is not
// in its range refuses the start and says which key to mend: a settings file that
// is half understood could loosen what its owner meant to tighten. Keys that this
// version does not know are kept when the file is rewritten.
package config
