package shellcmd

func hidden(text string) []Hidden { return nil }
