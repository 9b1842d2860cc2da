package sandbox

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

// ownBox makes a box, starts processes that try to survive in it, says where it is
// and waits to be killed.
func ownBox() int {
	b, err := newBox(Config{}, contain.Level(os.Getenv("LEVEL")))
	if err != nil {
		fmt.Println("no box:", err)
		return 1
	}
	if _, err := b.Start(context.Background(), survivors+"echo up; sleep 60", io.Discard); err != nil {
		fmt.Println("no command:", err)
		return 1
	}
	time.Sleep(300 * time.Millisecond)
	fmt.Println(b.spec.World)
	time.Sleep(time.Minute)
	return 0
}
