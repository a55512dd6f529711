"""Two emitters that write in turn, each with a ring; the second one writes its ring."""
from plytrace import Plytrace

trace = Plytrace("trace.jsonl", threads=2, ring=4)
trace.root("start")
emitters = [trace, trace.thread(1)]
for depth in [3, 2, 1]:
    for emitter in emitters:
        emitter.enter(-1, 1, depth)
for emitter in emitters:
    emitter.eval(0)
    emitter.leave(0)
emitters[1].dump()
