package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const longest = 64

// wireName is the name of a server's tool among those of the agent: of the letters
// that every model's API takes, no longer than it takes, and none of taken, which
// it enters. What had to be changed so much that two became one is told apart by a
// digest of both names, so that it comes out alike each time.
func wireName(server, tool string, taken map[string]bool) string {
	name := "mcp_" + safe(server) + "_" + safe(tool)
	if len(name) > longest || taken[name] {
		sum := sha256.Sum256([]byte(server + "\x00" + tool))
		digest := "_" + hex.EncodeToString(sum[:4])
		name = name[:min(len(name), longest-len(digest))] + digest
	}
	taken[name] = true
	return name
}

func safe(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
}
