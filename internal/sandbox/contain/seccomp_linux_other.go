//go:build linux && !amd64 && !arm64

package contain

const auditArch = 0

var refusedHere []uint32
