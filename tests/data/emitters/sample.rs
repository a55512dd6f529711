//! A search that tells what it does.
mod plytrace;
use plytrace::Plytrace;

fn search(trace: &mut Plytrace, p: u64, (mut a, b): (f64, f64), d: i32, m: Option<&str>) -> f64 {
    let side = if d % 2 == 1 { "b" } else { "w" };
    trace.enter(a, b, d - 2, |e| {
        if let Some(m) = m {
            e.text("m", m).number("late", d);
        }
        e.text("k", p).text("s", side)
    });
    if d == 0 {
        let value = (p.wrapping_mul(2_654_435_761) % 1000) as f64 - 500.0;
        trace.eval(value);
        trace.leave(value, |e| e);
        return value;
    }
    trace.miss();
    let mut best = f64::NEG_INFINITY;
    trace.window(a, b, "the same");
    trace.skip("\"late\"", 3);
    for i in 0..3 {
        let mv = i.to_string();
        if d == 6 {
            trace.extend(&mv, 0, "root");
        }
        let value = -search(trace, p * 3 + 1 + i, (-b, -a), d - 1, Some(&mv));
        best = best.max(value);
        a = a.max(value);
        if best >= b {
            trace.cut(&mv, value);
            break;
        }
    }
    trace.leave(best, |e| e.flag("inner", true));
    best
}

fn main() -> std::io::Result<()> {
    let trigger = std::env::args().nth(1).unwrap_or_default();
    let mut trace = Plytrace::new("trace.jsonl", "\"program\":\"sample\"");
    match trigger.as_str() {
        "key" => trace.below_key = Some("1".into()),
        "line" => trace.line = Some(vec!["0".into(), "1".into()]),
        "depth" => trace.min_depth = Some(1),
        "nodes" => trace.from_node = 50,
        "ring" => trace.ring = 100,
        _ => {}
    }
    trace.binary = std::env::args().nth(2).is_some();
    let mut trace = trace.started()?;
    trace.root("start");
    trace.iteration(6);
    search(&mut trace, 0, (f64::NEG_INFINITY, f64::INFINITY), 6, None);
    trace.pv("0 1");
    trace.dump()?;
    // As a `static` would be: never dropped.
    std::mem::forget(trace);
    Ok(())
}
