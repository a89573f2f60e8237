package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// HomeVariable names the environment variable that moves the home.
const HomeVariable = "COUNTERSIGN_HOME"

// homeName is the name of the home in that of the person.
const homeName = ".countersign"

// Paths are the places that the product uses.
type Paths struct {
	// Home holds everything that is stored, mode 0700.
	Home string
	// UserHome is the home directory of the person.
	UserHome string
}

// Locate finds the places: home is the flag's value, else COUNTERSIGN_HOME, else
// ~/.countersign. Paths are absolute with links resolved as far as they exist.
func Locate(flag string) (Paths, error) {
	user, err := os.UserHomeDir()
	if err != nil && flag == "" && os.Getenv(HomeVariable) == "" {
		return Paths{}, errors.New("the home directory is not known: set HOME, or give --home")
	}
	home := flag
	if home == "" {
		home = os.Getenv(HomeVariable)
	}
	if home == "" {
		home = filepath.Join(user, homeName)
	}
	if home, err = filepath.Abs(home); err != nil {
		return Paths{}, fmt.Errorf("find the home: %w", err)
	}
	return Paths{Home: real(home), UserHome: real(user)}, nil
}

// real resolves links as far as the path exists.
func real(path string) string {
	if path == "" {
		return ""
	}
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(real(parent), filepath.Base(path))
}

// Usual reports whether the home is where it is looked for when nothing names it.
func (p Paths) Usual() bool {
	return p.UserHome != "" && p.Home == real(filepath.Join(p.UserHome, homeName))
}

// OutputDir is the folder of the output store.
func (p Paths) OutputDir() string { return filepath.Join(p.Home, "output") }

// ArtifactDir is the folder of what a person keeps for a time.
func (p Paths) ArtifactDir() string { return filepath.Join(p.Home, "artifacts") }

// MediaDir is the folder of the images that results name.
func (p Paths) MediaDir() string { return filepath.Join(p.Home, "media") }

// LogDir is the folder of the logs.
func (p Paths) LogDir() string { return filepath.Join(p.Home, "logs") }

// File is the settings file.
func (p Paths) File() string { return filepath.Join(p.Home, "config.json") }

// Prepare makes the home and its folders, mode 0700. A home that others may enter is
// closed to them.
func (p Paths) Prepare() error {
	for _, dir := range []string{p.Home, p.OutputDir(), p.LogDir()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("make the home: %w", err)
		}
	}
	info, err := os.Stat(p.Home)
	if err != nil {
		return fmt.Errorf("look at the home: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(p.Home, 0o700); err != nil {
			return fmt.Errorf("close the home to others: %w", err)
		}
	}
	return nil
}

// SearchPath is where programs are looked for that are named without a folder.
func SearchPath() string { return os.Getenv("PATH") }
