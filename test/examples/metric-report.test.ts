import { expect, test } from 'vitest';
import { reportOf, toCsv, toSvg } from '../../examples/metric-report.ts';
import { stage } from './support.ts';

test('a metric becomes a table and a chart of the same rows', async () => {
  const { emulator, payments } = stage();
  const rows = [
    { periodStart: '2025-12-31', transactionType: 'onramp', grossVolume: 20 },
    { periodStart: '2026-01-01', transactionType: 'onramp', grossVolume: 250 },
  ];
  const metric = emulator.createMetric({ breakdowns: ['transactionType'], rows });
  const { csv, svg } = await reportOf(payments, metric.id, 'grossVolume');
  const [heading, ...lines] = csv.trimEnd().split('\r\n');
  expect(heading).toBe('periodStart,transactionType,grossVolume');
  expect(lines.at(-1)).toBe('2026-01-01,onramp,250');
  expect(svg.match(/<rect /g)).toHaveLength(lines.length);
  expect(svg).toContain('<title>2026-01-01: 250</title>');
});

test('a cell can hold a comma, a quote, a line break, nothing, or what looks like a formula', () => {
  const csv = toCsv([
    { periodStart: '2026-01-01', label: 'a, "b"\n' },
    { periodStart: '2026-01-02', label: '=1+1', more: null, value: -3 },
  ]);
  expect(csv).toBe('periodStart,label,more,value\r\n2026-01-01,"a, ""b""\n",,\r\n2026-01-02,\'=1+1,,-3\r\n');
});

test('an empty dataset is a table with one column and a chart without bars', () => {
  expect(toCsv([])).toBe('periodStart\r\n');
  expect(toSvg([], 'grossVolume')).not.toContain('<rect ');
});

test('the chart is well-formed whatever the names are', () => {
  const svg = toSvg([{ periodStart: '<&">' }], 'a "b" & <c>');
  expect(svg).toContain('aria-label="a &quot;b&quot; &amp; &lt;c&gt;"');
  expect(svg).toContain('<title>&lt;&amp;&quot;&gt;: 0</title>');
});
