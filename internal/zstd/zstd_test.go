package zstd

import (
	"bytes"
	"encoding/binary"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPackAndUnpack(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"", "x", "\x00\xff\xfe", strings.Repeat("evidence ", 100_000)} {
		packed, err := Pack([]byte(data))
		require.NoError(t, err)
		got, err := Unpack(packed)
		require.NoError(t, err)
		require.Equal(t, data, string(got))
	}
}

func TestPackedTextIsSmall(t *testing.T) {
	t.Parallel()
	packed, err := Pack([]byte(strings.Repeat("evidence ", 100_000)))
	require.NoError(t, err)
	require.Less(t, len(packed), 1000)
}

func TestUnpackRefusesDamage(t *testing.T) {
	t.Parallel()
	whole, err := Pack([]byte(strings.Repeat("some evidence, and more of it. ", 50)))
	require.NoError(t, err)
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 0x40
	for name, packed := range map[string][]byte{
		"nothing": nil, "no frame": []byte("hello"), "half a frame": whole[:len(whole)/2], "a flipped bit": flipped,
	} {
		_, err := Unpack(packed)
		require.Error(t, err, name)
	}
}

// A small file must not fill the memory of its reader.
func TestUnpackRefusesWhatIsTooLarge(t *testing.T) {
	t.Parallel()
	claims := append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0xe0}, binary.LittleEndian.AppendUint64(nil, Largest+1)...)
	_, err := Unpack(append(claims, 0x03, 0, 0, 'x')) // one last block, repeated
	require.ErrorContains(t, err, "size")
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			data := bytes.Repeat([]byte{byte(i)}, 10_000)
			packed, err := Pack(data)
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := Unpack(packed); err != nil || !bytes.Equal(got, data) {
				t.Error("not what was packed", err)
			}
		})
	}
	wg.Wait()
}
