// Command countersign is the command line: the desk for a machine without a screen,
// the MCP bridge, single calls, and what is stored.
//
// Commands without a desk are headless: they ask nobody, so what would ask is denied.
// What they print on standard output is data; what went wrong is one sentence on
// standard error. Exit codes: 0 it succeeded, 1 usage or configuration, 2 a call
// failed, is unavailable or uncertain, 4 denied, 5 cancelled.
package main
