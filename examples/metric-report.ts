import type { MetricPoint, PaymentsClient } from 'stablecoin-payments';

/** One row of a metric. Read its values and breakdowns by name. */
export type Row = MetricPoint & Record<string, unknown>;

/** Executes a saved metric and returns it as a CSV table and an SVG bar chart. */
export async function reportOf(
  payments: PaymentsClient,
  metricId: string,
  valueName: string,
): Promise<{ csv: string; svg: string }> {
  const { data } = await payments.reporting.retrieveResults(metricId);
  // The names of the values are set at run time. The copy can be read by any name.
  const rows = data.map((point): Row => ({ ...point }));
  return { csv: toCsv(rows), svg: toSvg(rows, valueName) };
}

/** Returns a table with one column per field of any row, `periodStart` first. */
export function toCsv(points: readonly Row[]): string {
  const columns = [...new Set(['periodStart', ...points.flatMap((point) => Object.keys(point))])];
  const rows = points.map((point) => columns.map((column) => cell(point[column])));
  return [columns.map(cell), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

function cell(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const text = value === undefined || value === null ? '' : String(value);
  // A spreadsheet would run such a text as a formula.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const width = 640;
const height = 240;
const floor = 200;

/** Draws one bar per row, in the order of the data. If a metric has breakdowns, draw one chart per group. */
export function toSvg(points: readonly Row[], valueName: string): string {
  const values = points.map((point) => Number(point[valueName] ?? 0));
  const largest = Math.max(...values, 1);
  const space = width / Math.max(points.length, 1);
  const bars = points.map((point, index) => {
    const value = values[index] ?? 0;
    const tall = (value / largest) * (floor - 30);
    const title = escapeXml(`${point.periodStart}: ${value}`);
    const place = `x="${(index * space + space * 0.1).toFixed(1)}" y="${(floor - tall).toFixed(1)}"`;
    const size = `width="${(space * 0.8).toFixed(1)}" height="${tall.toFixed(1)}"`;
    return `<rect ${place} ${size}><title>${title}</title></rect>`;
  });
  const [first, last] = [points.at(0), points.at(-1)].map((point) => escapeXml(point?.periodStart ?? ''));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(valueName)}">
<style>text{font:12px system-ui;fill:#333}rect{fill:#0b7285}@media (prefers-color-scheme:dark){text{fill:#ddd}rect{fill:#66d9e8}}</style>
<text x="0" y="16">${escapeXml(valueName)}, up to ${largest.toLocaleString('en-US')}</text>
${bars.join('\n')}
<text x="0" y="${floor + 24}">${first}</text><text x="${width}" y="${floor + 24}" text-anchor="end">${last}</text>
</svg>
`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeXml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
