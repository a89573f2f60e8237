//go:build !linux

package kin

// below is not known here.
func below() bool { return false }
