// plytrace: writes the events of a game-tree search for Plyscope. One file, no dependencies, public domain. Go 1.13.
//
//	trace := NewPlytrace("search.jsonl", `"game":"chess"`)      // other fields of the header as JSON, or ""
//	trace.Open()                                                 // without it, every call returns at once
//	trace.Enter(alpha, beta, depth, "e2e4", key, "")             // ... trace.Leave(value, best); empty texts are left out
//	trace.Also("s", "w").Also("lmp", 3).Eval(20)                 // further fields of the next event: the format's or your own
//
// Write your package's name below. The file "-" is standard output, with "info string ply " before each line, for
// `trace diff --uci`. Another thread gets trace.Thread(1); write its keys with Put, before the entry is written.
//
// Triggers limit the trace to the subtrees they select: BelowKey, Line ("e2e4", "e7e5"), FromNode. With MinDepth, nodes of
// smaller depth are written without what happens inside them. With Ring = 5000, the last events are kept in memory until
// Dump(), for example when an assertion fails. A part begins with its root and open nodes. Set them before Open().
package main

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
)

type plytraceFile struct {
	lock sync.Mutex
	out  *bufio.Writer
	file *os.File
	on   bool
	uci  bool
}

type Plytrace struct {
	BelowKey               string
	Line                   []string
	MinDepth               float64
	FromNode, Ring         int
	path, header           string
	file                   *plytraceFile
	kept, open, base       []string
	more                   strings.Builder
	root, oldRoot          string
	thread, ply, nodes     int
	matched, begun, hidden int
}

func NewPlytrace(path, header string) *Plytrace {
	root := `{"e":"root"}`
	return &Plytrace{path: path, header: header, MinDepth: math.Inf(-1), root: root, oldRoot: root, begun: -1, hidden: -1, file: &plytraceFile{}}
}

func (t *Plytrace) Open() {
	t.file.on = true
	if t.Ring == 0 {
		t.create()
	}
}

// Thread is the trace of another thread, in the same file.
func (t *Plytrace) Thread(number int) *Plytrace {
	other := NewPlytrace(t.path, t.header)
	other.BelowKey, other.Line, other.MinDepth, other.FromNode = t.BelowKey, t.Line, t.MinDepth, t.FromNode
	other.thread, other.file, other.root, other.Ring = number, t.file, t.root, t.Ring
	if t.Ring > 0 {
		other.write(t.root)
	}
	return other
}

func (t *Plytrace) create() {
	table := ""
	if !math.IsInf(t.MinDepth, -1) {
		table = `,"table":"part"`
	} else if t.BelowKey != "" || t.Line != nil || t.FromNode > 0 || t.Ring > 0 {
		table = `,"table":"warm"`
	}
	f := t.file
	f.uci = t.path == "-"
	f.file = os.Stdout
	if !f.uci {
		file, err := os.Create(t.path)
		if err != nil {
			panic(err)
		}
		f.file = file
	}
	f.out = bufio.NewWriterSize(f.file, 1<<18)
	comma := ""
	if t.header != "" {
		comma = ","
	}
	f.print(`{"plytrace":1` + comma + t.header + table + "}")
}

func (f *plytraceFile) print(line string) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.out == nil {
		return
	}
	if f.uci {
		f.out.WriteString("info string ply ")
	}
	f.out.WriteString(line)
	f.out.WriteByte('\n')
	if f.uci {
		f.out.Flush()
	}
}

func plytraceText(name, text string) string {
	if text == "" {
		return ""
	}
	var out strings.Builder
	out.WriteString(`,"` + name + `":"`)
	for _, sign := range text {
		if sign == '"' || sign == '\\' {
			out.WriteByte('\\')
		}
		if sign >= ' ' {
			out.WriteRune(sign)
		}
	}
	out.WriteByte('"')
	return out.String()
}

func plytraceNumber(name string, value float64) string {
	if math.IsNaN(value) {
		return ""
	}
	value = math.Max(-1e300, math.Min(1e300, value))
	if value == math.Trunc(value) && math.Abs(value) < 1e15 {
		return `,"` + name + `":` + strconv.FormatInt(int64(value), 10)
	}
	return `,"` + name + `":` + strconv.FormatFloat(value, 'e', -1, 64)
}

// Also adds a field to the next event: a text, a number or a truth value.
func (t *Plytrace) Also(name string, value interface{}) *Plytrace {
	if !t.file.on {
		return t
	}
	switch value := value.(type) {
	case string:
		t.more.WriteString(plytraceText(name, value))
	case bool:
		t.more.WriteString(`,"` + name + `":` + strconv.FormatBool(value))
	case int:
		t.more.WriteString(plytraceNumber(name, float64(value)))
	case float64:
		t.more.WriteString(plytraceNumber(name, value))
	}
	return t
}

func (t *Plytrace) event(e, fields string) string {
	thread := ""
	if t.thread > 0 && e != "root" {
		thread = plytraceNumber("th", float64(t.thread))
	}
	event := `{"e":"` + e + `"` + fields + t.more.String() + thread + "}"
	t.more.Reset()
	return event
}

func (t *Plytrace) emit(e, fields string) {
	event := t.event(e, fields)
	if t.begun >= 0 && t.hidden < 0 {
		t.write(event)
	}
}

func (t *Plytrace) begin(e, fields string) {
	t.ply, t.matched, t.begun, t.hidden, t.open = 0, 0, -1, -1, nil
	event := t.event(e, fields)
	if e == "root" {
		t.root = event
	}
	t.write(event)
}

func (t *Plytrace) write(event string) {
	if t.Ring == 0 {
		t.file.print(event)
		return
	}
	t.kept = append(t.kept, event)
	if len(t.kept) <= t.Ring {
		return
	}
	old := t.kept[0]
	t.kept = t.kept[1:]
	// What is left of the ring begins after this event.
	switch {
	case strings.HasPrefix(old, `{"e":"root"`):
		t.base, t.oldRoot = nil, old
	case strings.HasPrefix(old, `{"e":"iter"`):
		t.base = nil
	case strings.HasPrefix(old, `{"e":"in"`):
		t.base = append(t.base, old)
	case strings.HasPrefix(old, `{"e":"out"`) && len(t.base) > 0:
		t.base = t.base[:len(t.base)-1]
	}
}

func (t *Plytrace) on(e string, fields func() string) {
	if t.file.on {
		t.emit(e, fields())
	}
}

func (t *Plytrace) Root(p string) {
	if t.file.on {
		t.begin("root", plytraceText("p", p))
	}
}

func (t *Plytrace) Iteration(d int) {
	if t.file.on {
		t.begin("iter", plytraceNumber("d", float64(d)))
	}
}

func (t *Plytrace) Hit(v float64, bound string, d float64, used bool) {
	t.on("hit", func() string {
		return plytraceNumber("v", v) + plytraceText("t", bound) + plytraceNumber("d", d) + `,"u":` + strconv.FormatBool(used)
	})
}

func (t *Plytrace) Miss()          { t.on("miss", func() string { return "" }) }
func (t *Plytrace) Eval(v float64) { t.on("eval", func() string { return plytraceNumber("v", v) }) }
func (t *Plytrace) Drop(k string)  { t.on("drop", func() string { return plytraceText("k", k) }) }
func (t *Plytrace) Note(r string)  { t.on("note", func() string { return plytraceText("r", r) }) }

func (t *Plytrace) Skip(r, m string) {
	t.on("skip", func() string { return plytraceText("r", r) + plytraceText("m", m) })
}

func (t *Plytrace) Reduce(m string, n float64, r string) {
	t.on("reduce", func() string { return plytraceText("m", m) + plytraceNumber("n", n) + plytraceText("r", r) })
}

func (t *Plytrace) Extend(m string, n float64, r string) {
	t.on("extend", func() string { return plytraceText("m", m) + plytraceNumber("n", n) + plytraceText("r", r) })
}

func (t *Plytrace) Window(a, b float64, r string) {
	t.on("window", func() string { return plytraceNumber("a", a) + plytraceNumber("b", b) + plytraceText("r", r) })
}

func (t *Plytrace) Put(v float64, bound string, d float64, k string) {
	t.on("put", func() string {
		return plytraceNumber("v", v) + plytraceText("t", bound) + plytraceNumber("d", d) + plytraceText("k", k)
	})
}

func (t *Plytrace) Cut(m string, v float64) {
	t.on("cut", func() string { return plytraceText("m", m) + plytraceNumber("v", v) })
}

func (t *Plytrace) Pv(moves string) {
	if t.file.on {
		t.write(t.event("pv", plytraceText("m", moves)))
	}
}

func (t *Plytrace) Stop(r string) {
	if t.file.on {
		t.write(t.event("stop", plytraceText("r", r)))
	}
}

func (t *Plytrace) Enter(a, b, d float64, m, k, kind string) {
	if !t.file.on {
		return
	}
	if t.ply > 0 && t.matched == t.ply-1 && t.ply <= len(t.Line) && t.Line[t.ply-1] == m {
		t.matched = t.ply
	}
	onLine := t.Line == nil || t.matched == t.ply && t.ply == len(t.Line)
	event := t.event("in", plytraceNumber("a", a)+plytraceNumber("b", b)+plytraceNumber("d", d)+
		plytraceText("m", m)+plytraceText("k", k)+plytraceText("t", kind))
	if t.begun < 0 && onLine && (t.BelowKey == "" || t.BelowKey == k) && t.nodes >= t.FromNode {
		t.begun = t.ply
		if t.ply > 0 {
			t.write(t.root)
		}
		for _, above := range t.open {
			t.write(plytraceOpened(above))
		}
	}
	if t.begun < 0 {
		t.open = append(t.open, event)
	} else if t.hidden < 0 {
		t.write(event)
	}
	if t.hidden < 0 && d < t.MinDepth {
		t.Skip("min_depth", "")
		t.hidden = t.ply
	}
	t.ply++
	t.nodes++
}

func plytraceOpened(event string) string {
	if strings.Contains(event, `,"open":`) {
		return event
	}
	return event[:len(event)-1] + `,"open":true}`
}

func (t *Plytrace) Leave(v float64, m string) {
	if !t.file.on {
		return
	}
	if t.ply > 0 {
		t.ply--
	}
	if t.hidden == t.ply {
		t.hidden = -1
	}
	if t.begun < 0 && len(t.open) > 0 {
		t.open = t.open[:len(t.open)-1]
	}
	t.emit("out", plytraceNumber("v", v)+plytraceText("m", m))
	if t.begun == t.ply {
		t.begun = -1
	}
	if t.ply > 0 && t.matched >= t.ply {
		t.matched = t.ply - 1
	}
}

// Dump writes the events in the ring, after the root and the nodes that were open at its first event.
func (t *Plytrace) Dump() {
	if !t.file.on || t.Ring == 0 {
		return
	}
	t.create()
	if len(t.base) > 0 {
		t.file.print(t.oldRoot)
	}
	for _, event := range t.base {
		t.file.print(plytraceOpened(event))
	}
	for _, event := range t.kept {
		t.file.print(event)
	}
	t.file.print(t.event("stop", plytraceText("r", "dump")))
	t.Close()
}

func (t *Plytrace) Close() {
	if t.file.out != nil {
		t.file.out.Flush()
		t.file.file.Close()
	}
	t.file.out, t.file.on = nil, false
}
