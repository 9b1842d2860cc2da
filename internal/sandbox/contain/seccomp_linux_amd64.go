package contain

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

var refusedHere = []uint32{unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_USELIB, unix.SYS_MODIFY_LDT, unix.SYS_KEXEC_FILE_LOAD}
