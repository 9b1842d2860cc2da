//go:build !unix

package journal

// access cannot tell here, and lets the first write find out.
func access(string) error { return nil }
