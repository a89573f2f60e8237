// Package veil makes the copies of calls, requests, messages and sessions that eyes see:
// without their secrets, and with a count of what is hidden. Whoever shows, lists, logs or
// exports takes the copy. What decides, runs or is hashed takes what is stored.
package veil
