// Package zstd packs and unpacks the evidence files. It is the only importer of
// the compressor, so that the record's writer and its reader agree.
package zstd

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Largest is the size up to which a file is unpacked. A file that claims more is
// damaged, or meant to exhaust the reader.
const Largest = 1 << 30

// Making a coder costs more than using it, and both kinds are safe for use by
// many goroutines at once.
var (
	encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithLowerEncoderMem(true))
	})
	decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderMaxMemory(Largest), zstd.WithDecoderLowmem(true))
	})
)

// Pack returns data as one zstd frame with a checksum.
func Pack(data []byte) ([]byte, error) {
	e, err := encoder()
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	return e.EncodeAll(data, make([]byte, 0, len(data)/4+64)), nil
}

// Unpack returns what was packed. Data that is damaged, cut short or larger than
// [Largest] is an error.
func Unpack(packed []byte) ([]byte, error) {
	if len(packed) == 0 {
		return nil, fmt.Errorf("unpack: the file is empty")
	}
	d, err := decoder()
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	data, err := d.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return data, nil
}
