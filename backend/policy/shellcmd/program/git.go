package program

import (
	"strings"

	"countersign/backend/tool"
)

// blob reads a name of git's, behind whose colon may stand a file as it was.
func (j *judging) blob(at int, w Word) {
	if _, name, ok := strings.Cut(w.Text, ":"); ok && name != "" {
		// Without a name of git's before it, the number of a side of a merge may stand there.
		if side, rest, ok := strings.Cut(name, ":"); ok && len(side) == 1 && side[0] >= '0' && side[0] <= '3' {
			name = rest
		}
		w.Text = strings.TrimPrefix(name, "/")
	}
	j.path(at, w, tool.AccessRead, true)
}

// gitSpecial reads what stands before git's subcommand.
func gitSpecial(j *judging, s *scan) {
	if h := s.find("--work-tree"); h != nil && h.has && len(s.operands) > 0 {
		access := tool.AccessRead
		switch s.words[s.operands[0]].Text {
		case "checkout", "reset", "restore", "clean", "switch", "merge", "pull", "rm", "mv", "apply", "am", "stash", "read-tree", "checkout-index":
			access = tool.AccessWrite
		}
		j.path(h.from, h.value, access, true)
	}
}

// cleanSpecial reads clean, which takes away all that git does not keep. It leaves git's own
// records alone.
func cleanSpecial(j *judging, s *scan) {
	j.wide = !s.has("-n", "--dry-run")
	if !s.has("-x", "-X") || s.has("-n", "--dry-run") || len(s.operands) > 0 {
		return
	}
	kept, _, _ := s.patterns(setOf("-e --exclude"), false)
	j.use(Path{Text: ".", Word: s.self, Access: tool.AccessWrite, Tree: true, Below: &Below{Except: kept, ExceptFolders: append(kept, ".git")}})
}

// pushSpecial finds the refspecs that move or remove what others have.
func pushSpecial(j *judging, s *scan) {
	for n, at := range s.operands {
		w := s.words[at].Text
		if n == 0 {
			continue
		}
		if strings.HasPrefix(w, "+") || strings.HasPrefix(w, ":") && len(w) > 1 {
			j.finding(act{effect: ChangesGit, restricted: true, words: "replaces or removes what others have"}, at, "")
		}
	}
}

// runningKeys are the settings that make git start programs or follow other settings.
var runningKeys = []string{
	"alias.", "core.hookspath", "core.fsmonitor", "core.pager", "core.editor", "core.sshcommand", "core.askpass", "core.gitproxy",
	"core.worktree", "core.attributesfile", "core.alternaterefscommand", "credential.", "diff.", "difftool.", "merge.", "mergetool.",
	"filter.", "pager.", "browser.", "man.", "web.browser", "help.browser", "gpg.", "gc.recentobjectshook", "sequence.editor",
	"include.", "includeif.", "url.", "remote.", "submodule.", "sendemail.", "uploadpack.", "receive.", "init.templatedir", "interactive.difffilter",
	"protocol.", "trailer.", "safe.", "commit.template", "instaweb.", "imap.", "hook.", "fsmonitor.", "guitool.", "http.",
}

// configSpecial finds the settings that later make git start programs.
func configSpecial(j *judging, s *scan) {
	if s.any(s.row.quiet) {
		return
	}
	operands := s.operands
	if everywhere := s.find("--global", "--system"); everywhere != nil && (len(operands) > 1 || s.has("--unset", "--unset-all", "--add", "-e", "--edit")) {
		// The file is that of the user or the machine, wherever it lies.
		j.path(everywhere.at, Word{Text: Unknown, Dynamic: true}, tool.AccessWrite, false)
	}
	if len(operands) > 0 {
		switch s.words[operands[0]].Text {
		case "get", "list", "get-color", "get-colorbool":
			return
		case "set", "unset", "edit", "rename-section", "remove-section":
			j.finding(act{effect: ChangesGit}, operands[0], "")
			operands = operands[1:]
		default:
			if len(operands) > 1 {
				j.finding(act{effect: ChangesGit}, operands[1], "")
			}
		}
	}
	if len(operands) == 0 {
		return
	}
	key := strings.ToLower(s.words[operands[0]].Text)
	for _, k := range runningKeys {
		if len(operands) > 1 && (key == k || strings.HasSuffix(k, ".") && strings.HasPrefix(key, k)) {
			j.finding(act{effect: Runs, words: "changes a setting that makes git start programs"}, operands[1], "")
			return
		}
	}
}
