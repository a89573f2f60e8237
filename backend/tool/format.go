package tool

import "fmt"

// formatState is what Untrusted.Format needs of fmt.
type formatState = fmt.State
