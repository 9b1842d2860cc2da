package cli

import "golang.org/x/sys/windows"

// room is how many bytes may be written where a folder lies.
func room(dir string) (free uint64, known bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil || windows.GetDiskFreeSpaceEx(name, &free, nil, nil) != nil {
		return 0, false
	}
	return free, true
}
