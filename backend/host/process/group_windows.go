package process

import (
	"os"
	"strconv"
	"syscall"
	"unsafe"

	"countersign/backend/tool"

	"golang.org/x/sys/windows"
)

// group is a job object, which holds all that its processes start. It ends with the
// program, and everything in it too.
type group struct {
	job windows.Handle
}

func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

func (g *group) add(p *os.Process) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = p.WithHandle(func(handle uintptr) {
			if windows.AssignProcessToJobObject(job, windows.Handle(handle)) == nil {
				g.job = job
			}
		})
	}
	if err != nil || g.job == 0 {
		_ = windows.CloseHandle(job)
	}
}

func (g *group) close() {
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
		g.job = 0
	}
}

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	userTime, kernelTime, periodUserTime, periodKernelTime int64
	faults, total, active, terminated                      uint32
}

func (g *group) alive(int) bool {
	var a accounting
	if g.job == 0 {
		return false
	}
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation, uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil)
	return err == nil && a.active > 0
}

// terminate asks nobody: there is no signal that programs here could be expected to hear.
func (g *group) terminate(pid int) { g.kill(pid) }

func (g *group) kill(pid int) {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
		return
	}
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
		_ = p.Release()
	}
}

func ending(state *os.ProcessState) tool.Ending {
	code := state.ExitCode()
	return tool.Ending{Code: &code}
}

// startOf is when a process began, in the system's own units.
func startOf(pid int) string {
	handle, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer func() { _ = windows.CloseHandle(handle) }()
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(handle, &created, &exited, &kernel, &user) != nil {
		return ""
	}
	return strconv.FormatInt(created.Nanoseconds(), 10)
}
