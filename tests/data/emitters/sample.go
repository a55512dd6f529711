// A search that tells what it does.
package main

import (
	"math"
	"os"
	"strconv"
)

func search(trace *Plytrace, p int, a, b float64, d int, m string) float64 {
	side := "w"
	if d%2 == 1 {
		side = "b"
	}
	trace.Also("s", side).Also("late", d)
	trace.Enter(a, b, float64(d-2), m, strconv.Itoa(p), "")
	if d == 0 {
		value := float64(p*2654435761%1000) - 500
		trace.Eval(value)
		trace.Leave(value, "")
		return value
	}
	trace.Miss()
	best := math.Inf(-1)
	trace.Window(a, b, "the same")
	trace.Skip("\"late\"", "3")
	for i := 0; i < 3; i++ {
		move := strconv.Itoa(i)
		if d == 6 {
			trace.Extend(move, 0, "root")
		}
		value := -search(trace, p*3+1+i, -b, -a, d-1, move)
		best = math.Max(best, value)
		a = math.Max(a, value)
		if best >= b {
			trace.Cut(move, value)
			break
		}
	}
	trace.Leave(best, "")
	return best
}

func main() {
	trace := NewPlytrace("trace.jsonl", `"program":"sample"`)
	switch os.Args[1] {
	case "key":
		trace.BelowKey = "1"
	case "line":
		trace.Line = []string{"0", "1"}
	case "depth":
		trace.MinDepth = 1
	case "nodes":
		trace.FromNode = 50
	case "ring":
		trace.Ring = 100
	}
	trace.Open()
	trace.Root("start")
	trace.Iteration(6)
	search(trace, 0, math.Inf(-1), math.Inf(1), 6, "")
	trace.Pv("0 1")
	trace.Dump()
	trace.Close()
}
