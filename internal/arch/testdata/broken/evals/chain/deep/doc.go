// Package deep lies too deep.
package deep
