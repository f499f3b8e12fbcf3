//! Scales, shapes, and the rendered charts.

use askama::Template;

use super::number::of_scale;
use super::scale::{FULL, Scale};
use super::{BarChart, LineChart, Series, Sparkline, Times, Tone, grouped};

#[derive(Template)]
#[template(
    source = "{% import \"charts.html\" as charts %}{{ charts::bars(bars) }}{{ charts::line(line) }}\
              {{ charts::sparkline(sparkline) }}",
    ext = "html"
)]
struct Drawn {
    bars: BarChart,
    line: LineChart,
    sparkline: Sparkline,
}

fn times(count: u32) -> Times {
    Times { head: "Hour", labels: (0..count).map(|hour| format!("{hour}:00")).collect() }
}

fn series(succeeded: &[u64], failed: &[u64]) -> [Series; 2] {
    [
        Series { label: "Succeeded", tone: Tone::Good, values: succeeded.to_vec() },
        Series { label: "Failed", tone: Tone::Bad, values: failed.to_vec() },
    ]
}

fn labels(scale: Scale) -> Vec<String> {
    scale.lines().into_iter().map(|line| line.label).collect()
}

#[test]
fn a_scale_has_round_numbers_at_its_ends_and_middle() {
    for (most, expected) in [
        (0, ["2", "1", "0"]),
        (1, ["2", "1", "0"]),
        (3, ["4", "2", "0"]),
        (7, ["8", "4", "0"]),
        (8, ["8", "4", "0"]),
        (11, ["12", "6", "0"]),
        (1_999, ["2K", "1K", "0"]),
        (4_100_000, ["6M", "3M", "0"]),
    ] {
        assert_eq!(labels(Scale::from_zero(most)), expected, "{most}");
    }
}

#[test]
fn a_scale_of_huge_numbers_includes_them() {
    let scale = Scale::from_zero(u64::MAX);
    assert_eq!(labels(scale), ["20E", "10E", "0"]);
    assert_eq!(scale.height(u128::from(u64::MAX)).0, 9_223);
    assert_eq!(Scale::around(0, u64::MAX).height(u128::from(u64::MAX)).0, 9_223);
}

#[test]
fn a_scale_around_numbers_far_from_0_shows_how_they_differ() {
    assert_eq!(
        labels(Scale::around(10_000_000, 10_000_700)),
        ["10,000,800", "10,000,400", "10,000,000"]
    );
    assert_eq!(labels(Scale::around(99, 101)), ["101", "100", "99"]);
    assert_eq!(labels(Scale::around(0, 0)), ["2", "1", "0"]);
    assert_eq!(labels(Scale::around(7, 7)), ["8", "7", "6"]);
}

#[test]
fn numbers_are_grouped_and_round_ones_abbreviated() {
    for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
        assert_eq!(grouped(number), text);
    }
    assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    assert_eq!(of_scale([3_000, 1_500, 0]), ["3K", "1.5K", "0"]);
    assert_eq!(of_scale([3_100, 1_550, 0]), ["3,100", "1,550", "0"]);
}

#[test]
fn bars_are_stacked_and_stay_inside_the_chart() {
    let chart = BarChart::new("x", "Deliveries", times(3), &series(&[9_999, 0, 6], &[1, 0, 4]));
    assert_eq!(chart.title, "Deliveries: 10,005 Succeeded, 5 Failed");
    let [most, nothing, few] = chart.columns.as_slice() else { panic!("three bars") };
    assert!(nothing.segments.is_empty());
    assert_eq!(few.segments.len(), 2);
    let [below, above] = most.segments.as_slice() else { panic!("two parts") };
    assert_eq!(below.y.0 + below.height.0, FULL, "it begins at the foot");
    assert_eq!(above.y.0 + above.height.0, below.y.0, "it begins where the other one ends");
    assert_eq!(above.height.0, 200, "one failure among thousands is seen");
    let ends: Vec<u64> = chart.columns.iter().map(|it| it.left.0 + it.place.0).collect();
    assert_eq!(ends, [3_333, 6_666, FULL]);
}

#[test]
fn bars_of_huge_numbers_stay_inside_the_chart() {
    let huge = [u64::MAX];
    let chart = BarChart::new("x", "Deliveries", times(1), &series(&huge, &huge));
    let top = chart.columns[0].segments.last().expect("a part").y.0;
    assert!(top < FULL, "{top}");
    let sum: u64 = chart.columns[0].segments.iter().map(|it| it.height.0).sum();
    assert!(sum <= FULL, "{sum}");
}

#[test]
fn a_line_runs_from_edge_to_edge() {
    let line = |values: &[u64]| {
        let [series, _] = series(values, &[]);
        LineChart::new("Contacts", times(u32::try_from(values.len()).expect("few")), &series)
    };
    assert_eq!(line(&[100, 104]).points, "0,10000 10000,0");
    assert_eq!(line(&[5]).points, "5000,5000", "a single figure is in the middle");
    assert_eq!(line(&[]).points, "");
    assert!(line(&[]).last.is_none());
    assert_eq!(line(&[1, 2]).title, "Contacts, last 1:00: 2 Succeeded");
}

#[test]
fn every_drawn_value_has_a_text() {
    let both = series(&[3, 0], &[1, 0]);
    let first = Series { tone: Tone::Calm, ..both[0].clone() };
    let page = Drawn {
        bars: BarChart::new("sent", "Deliveries", times(2), &both),
        line: LineChart::new("Contacts", times(2), &first),
        sparkline: Sparkline::new("75 % succeeded".to_owned(), 2, &both),
    };
    let html = page.render().expect("drawn");
    for text in [
        "<title>Deliveries: 3 Succeeded, 1 Failed</title>",
        "<title>0:00: 3 Succeeded, 1 Failed</title>",
        "<title>75 % succeeded</title>",
        "<th scope=\"row\">1:00</th>",
        "fill=\"url(#sent-hatch)\"",
        "<path class=\"good\" d=\"M0.5 100V25\"/><path class=\"bad\" d=\"M0.5 25V0\"/>",
    ] {
        assert!(html.contains(text), "{text} in {html}");
    }
    assert_eq!(html.matches("role=\"img\"").count(), 3);
    assert!(!html.contains("style="), "no style in a page");
}

#[test]
fn a_chart_without_data_says_so() {
    let [first, second] = series(&[0, 0], &[]);
    let page = Drawn {
        bars: BarChart::new("sent", "Deliveries", times(2), &[first.clone(), second]),
        line: LineChart::new("Contacts", times(0), &Series { values: Vec::new(), ..first }),
        sparkline: Sparkline::new("Nothing was sent".to_owned(), 0, &[]),
    };
    assert!(page.bars.is_empty);
    let html = page.render().expect("drawn");
    assert!(html.contains("Nothing in this period."), "{html}");
}
