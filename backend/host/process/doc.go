// Package process runs the commands of sessions, and programs without a shell: it starts them,
// reads what they print, knows all that they started, and ends it. It decides nothing; what may run was decided
// before.
//
// A command is a text for the shell. It has a session of the system of its own and no
// controlling terminal, so that a program that asks for a password there is told that
// nobody can answer. Its output is a terminal where there is one, in raw mode so that
// what was printed arrives unchanged, and a pipe with TERM=dumb else. A command that is
// waited for reads from the null device, and its terminal is opened for writing only: a
// pager that finds no keyboard takes its output for one, and would wait there for ever.
// Pagers are told to stand aside for the same reason. A command that was started reads from
// its terminal, so that a program that talks with a person does so here; in raw mode there
// is no key that ends the input.
//
// # What belongs to a command
//
// On Linux the program takes in what lost its parent (PR_SET_CHILD_SUBREAPER), so that all
// that a command ever started is below the program, also what left by setsid and a double
// fork. The program has other children: those of the window, ripgrep. A process is taken
// for a command's own only with a proof: it was seen below a process of the command, it is
// in the session or the group of the command while that number cannot have been given
// again, it is an orphan that carries the mark of the command in its environment, or an
// orphan that holds the output of the command open. What has no proof is let alone. Signals
// go through a handle on the process (pidfd) whose start was compared, never to a bare
// number, but for the group of a command whose first process was not collected yet, since
// that number is still taken.
//
// The mark is the variable COMMAND_TREE. A supervising process for each command would prove
// more, and cost every command a second start of a program; control groups would too, and
// are given to few users. What clears its environment, closes its outputs, leaves the
// session and loses its parent between two looks at the tree is not found.
//
// The end of a command looks at all processes only when an orphan could be one of its own,
// which one or two calls of the system tell. Orphans that were no command's are collected
// too, since they come to the program and to nobody else.
//
// A program without a shell is waited for to its end, and nothing of it outlives that: what it
// left running is ended. It has pipes for all its streams, its errors apart. Its input is written
// while its output is read, so that neither waits for the other, and both streams go into one log
// in the order in which they come. One timer holds from its start to the last byte.
//
// # Output
//
// One goroutine for each command reads into a ring, writes each chunk to the log, and keeps
// the start and the newest part. The reader of a managed process is served from the ring,
// and from the log for what is older. Nothing is read twice or passed over when a command
// becomes a managed process: it is the same ring, log and goroutine, and the new reader
// begins at the byte where the answer ended.
package process
