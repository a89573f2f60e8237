package program

import "strings"

// loading are the variables that change what programs run, load or take for a command.
var loading = setOf(`PATH BASH_ENV ENV IFS CDPATH SHELL SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND GLOBIGNORE FIGNORE HISTFILE
	BASH_LOADABLES_PATH FPATH ZDOTDIR MODULE_PATH POSIXLY_CORRECT
	PAGER MANPAGER GIT_PAGER SYSTEMD_PAGER BAT_PAGER DELTA_PAGER PSQL_PAGER LESS LESSOPEN LESSCLOSE LESSEDIT LESSKEY LESSKEYIN MANOPT MANROFFOPT
	EDITOR VISUAL FCEDIT SUDO_EDITOR SUDO_ASKPASS SSH_ASKPASS BROWSER TERMINAL
	NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS ELECTRON_RUN_AS_NODE DENO_DIR BUN_OPTIONS
	RUBYOPT RUBYLIB GEM_PATH GEM_HOME BUNDLE_GEMFILE PERLLIB PERL5LIB PERL5OPT PERL5DB PERL_MM_OPT PERL_MB_OPT
	LUA_INIT LUA_PATH LUA_CPATH PHPRC PHP_INI_SCAN_DIR R_PROFILE R_PROFILE_USER R_ENVIRON R_ENVIRON_USER R_LIBS
	JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH MAVEN_OPTS GRADLE_OPTS JAVA_HOME JAVA_OPTS SBT_OPTS
	GCONV_PATH LOCPATH NLSPATH HOSTALIASES RESOLV_HOST_CONF GETCONF_DIR MALLOC_TRACE TZDIR TERMINFO TERMINFO_DIRS TERMCAP
	RIPGREP_CONFIG_PATH GREP_OPTIONS TAR_OPTIONS RSYNC_RSH RSYNC_CONNECT_PROG RSYNC_PROXY CVS_RSH XZ_OPT XZ_DEFAULTS GZIP ZIPOPT UNZIPOPT ZSTD_CLEVEL
	AWKPATH AWKLIBPATH GAWK_PERSIST_FILE FZF_DEFAULT_COMMAND FZF_DEFAULT_OPTS FZF_DEFAULT_OPTS_FILE
	MAKEFLAGS GNUMAKEFLAGS MAKEFILES MAKE CC CXX CPP LD AR AS FC CFLAGS CXXFLAGS LDFLAGS CPPFLAGS GOFLAGS GOROOT GOTOOLCHAIN GOPROXY GONOSUMDB GOPRIVATE GOINSECURE GONOSUMCHECK GOSUMDB GOBIN GOPATH GOENV GOVCS GOCACHEPROG GOAUTH
	CARGO RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTFLAGS RUSTDOC CARGO_HOME CARGO_BUILD_RUSTC CARGO_ENCODED_RUSTFLAGS RUSTUP_TOOLCHAIN RUSTUP_HOME
	NPM_CONFIG_USERCONFIG NPM_CONFIG_SCRIPT_SHELL npm_config_script_shell npm_config_userconfig npm_config_node_options npm_config_registry YARN_RC_FILENAME
	PIP_CONFIG_FILE PIP_INDEX_URL PIP_EXTRA_INDEX_URL VIRTUAL_ENV PIPX_HOME UV_INDEX_URL UV_PYTHON
	DOCKER_HOST DOCKER_CONFIG KUBECONFIG KUBE_EDITOR AWS_CONFIG_FILE CURL_HOME WGETRC NETRC
	OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES SSL_CERT_FILE SSL_CERT_DIR GNUPGHOME
	QT_PLUGIN_PATH GTK_MODULES GTK_PATH GIO_EXTRA_MODULES GST_PLUGIN_PATH
	CMAKE_TOOLCHAIN_FILE PKG_CONFIG PKG_CONFIG_PATH HGRCPATH HGEDITOR SVN_EDITOR SVN_SSH GH_PAGER GH_EDITOR GH_BROWSER GLAMOUR_STYLE
	HOME XDG_CONFIG_HOME XDG_CONFIG_DIRS XDG_DATA_DIRS TEXINPUTS ANSIBLE_CONFIG VIMINIT EXINIT GVIMINIT VIM VIMRUNTIME MYVIMRC EMACSLOADPATH INPUTRC SCREENRC TMUX
	http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy ftp_proxy FTP_PROXY`)

// loadingFamilies are the beginnings of names that do the same.
var loadingFamilies = []string{
	"LD_", "DYLD_", "GIT_", "PYTHON", "BASH_FUNC_", "_RLD", "COUNTERSIGN", "DOTNET_", "CORECLR_", "COR_", "npm_config_", "NPM_CONFIG_",
	"PERL5", "RUBY", "GUILE_", "NIX_", "GLIBC_", "PIP_", "CARGO_TARGET_", "CARGO_ALIAS_", "CRYSTAL_",
}

// harmless are variables that change words, colours and amounts at most.
var harmless = setOf(`CI LANG LANGUAGE TZ TERM NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM COLUMNS LINES TERM_PROGRAM
	DEBUG VERBOSE QUIET LOG_LEVEL NODE_ENV RAILS_ENV RACK_ENV MIX_ENV APP_ENV FLASK_ENV FLASK_DEBUG ENVIRONMENT
	GOOS GOARCH GOARM GOAMD64 CGO_ENABLED GOMAXPROCS GOGC GOMEMLIMIT GOTRACEBACK GO111MODULE GORACE GODEBUG
	RUST_BACKTRACE RUST_LOG RUST_TEST_THREADS CARGO_TERM_COLOR CARGO_INCREMENTAL CARGO_NET_OFFLINE
	PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING PYTHONUTF8 PYTHONHASHSEED PYTEST_DISABLE_PLUGIN_AUTOLOAD
	GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS GIT_FLUSH GIT_AUTHOR_DATE GIT_COMMITTER_DATE GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
	LS_COLORS GREP_COLOR GREP_COLORS QUOTING_STYLE BLOCK_SIZE BLOCKSIZE TIME_STYLE TIMEFORMAT LC_ALL LC_CTYPE
	DEBIAN_FRONTEND HOMEBREW_NO_AUTO_UPDATE HOMEBREW_NO_ANALYTICS DO_NOT_TRACK NEXT_TELEMETRY_DISABLED DOTNET_CLI_TELEMETRY_OPTOUT DOTNET_NOLOGO
	PORT HOST VITE_PORT BROWSERSLIST_IGNORE_OLD_DATA TEST_ENV JEST_WORKER_ID VITEST npm_config_loglevel npm_config_yes PIP_DISABLE_PIP_VERSION_CHECK PIP_NO_INPUT
	SOURCE_DATE_EPOCH OMP_NUM_THREADS TOKENIZERS_PARALLELISM CUDA_VISIBLE_DEVICES TF_CPP_MIN_LOG_LEVEL MAKELEVEL`)

func setOf(names string) map[string]bool {
	set := map[string]bool{}
	for _, n := range strings.Fields(names) {
		set[n] = true
	}
	return set
}

// HarmlessSetting reports whether an assignment is known to change nothing of what a program
// runs, reads and writes: its variable never does, or its value asks for plain printing.
func HarmlessSetting(a Assignment) bool {
	if HarmlessVariable(a.Name) {
		return true
	}
	if a.Value.Dynamic {
		return false
	}
	if strings.HasSuffix(a.Name, "PAGER") {
		return a.Value.Text == "cat"
	}
	value, ok := strings.CutPrefix(a.Value.Text, plainBeginnings[a.Name])
	return ok && plainBeginnings[a.Name] != "" && value != "" && strings.Trim(value, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}

// plainBeginnings are how values begin that do no more than choose an amount or a mode,
// which is all that follows.
var plainBeginnings = map[string]string{"NODE_OPTIONS": "--max-old-space-size=", "GOFLAGS": "-mod="}

// HarmlessVariable reports whether a variable that is set for a command is known to change
// nothing of what it runs, reads and writes: words, colours and amounts at most.
func HarmlessVariable(name string) bool { return harmless[name] || strings.HasPrefix(name, "LC_") }

// Loads says that a variable changes what programs run, load or take for a command, also
// where it is set for the shell that starts them.
func Loads(name string) bool {
	if HarmlessVariable(name) {
		return false
	}
	if loading[name] {
		return true
	}
	for _, f := range loadingFamilies {
		if strings.HasPrefix(name, f) {
			return true
		}
	}
	return strings.HasSuffix(name, "_PAGER") || strings.HasSuffix(name, "_EDITOR") || strings.HasSuffix(name, "_ASKPASS")
}

// environment judges what is set for the program alone.
func (j *judging) environment() {
	j.rule = "environment"
	for i := range j.inv.Environment {
		if a := &j.inv.Environment[i]; !HarmlessSetting(*a) {
			j.variable(-1, a.Name)
		}
	}
}

// setting judges a word that sets a variable, as env and export take it.
func (j *judging) setting(at int, w Word) {
	name, value, ok := strings.Cut(w.Text, "=")
	name = strings.TrimSuffix(name, "+")
	if set := (Assignment{Name: name, Value: Word{Text: value, Dynamic: w.Dynamic}}); (ok || w.Dynamic) && !HarmlessSetting(set) {
		j.variable(at, name)
	}
}

func (j *judging) variable(at int, name string) {
	switch {
	case HarmlessVariable(name):
	case Loads(name):
		j.finding(act{effect: Runs, words: "sets " + name + ", which changes what programs run or load"}, at, "")
		j.opaque("sets " + name + ", which changes what programs run or load")
	default:
		j.finding(act{effect: Changes, words: "sets " + name + " for the program"}, at, "")
	}
}

// settings says beside the words of the command which variables matter to it.
func (j *judging) settings() {
	with := ""
	for i := range j.inv.Environment {
		if a := &j.inv.Environment[i]; !HarmlessSetting(*a) {
			if with != "" {
				with += ", "
			}
			with += a.Name
		}
	}
	if with == "" {
		return
	}
	if j.out.Shown == "" {
		j.out.Shown = joined(j.inv.Words).Text
	}
	j.out.Shown += " (with " + with + ")"
}
