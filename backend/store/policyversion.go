package store

import "context"

// SavePolicyVersion keeps the rules that stand behind a policy version. A version
// that is there already stays as it is.
func (s *Store) SavePolicyVersion(ctx context.Context, version, text string) error {
	now := s.clock.Now()
	return s.writer.do(ctx, func(t *tx) error {
		_, err := t.exec(`INSERT OR IGNORE INTO policy_versions (version, text, created_at) VALUES (?, ?, ?)`, version, text, ms(now))
		return err
	})
}

// PolicyVersion returns the rules behind a policy version.
func (s *Store) PolicyVersion(ctx context.Context, version string) (text string, found bool, err error) {
	found, err = s.one(ctx, `SELECT text FROM policy_versions WHERE version = ?`, []any{version}, &text)
	return text, found, err
}
