package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// script runs a measurement that is not in Go and reads the one JSON object that it prints.
func script(ctx context.Context, into any, command ...string) error {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(out, into); err != nil {
		return fmt.Errorf("read what %s printed: %w", strings.Join(command, " "), err)
	}
	return nil
}
