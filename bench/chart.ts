import { ours } from './targets.ts';

/** A bar chart as SVG, shortest bar first; readable on light and dark pages. */
export function toChart(title: string, unit: string, values: Readonly<Record<string, number>>): string {
  const entries = Object.entries(values).sort(([, a], [, b]) => a - b);
  const most = Math.max(...entries.map(([, value]) => value));
  const height = 48 + entries.length * 26;
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const lines = entries.map(([name, value], index) => {
    const y = 40 + index * 26;
    const width = Math.max(2, (value / most) * 400);
    const colour = name === ours ? '#0a7f5a' : '#8a94a6';
    const weight = name === ours ? 'bold' : 'normal';
    return `  <text x="208" y="${y + 14}" text-anchor="end" font-weight="${weight}">${escaped(name)}</text>
  <rect x="216" y="${y}" width="${width.toFixed(1)}" height="18" rx="2" fill="${colour}"/>
  <text x="${(224 + width).toFixed(1)}" y="${y + 14}">${Math.round(value).toLocaleString('en')}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 ${height}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="13">
  <style>text { fill: #1f2937 } @media (prefers-color-scheme: dark) { text { fill: #e5e7eb } }</style>
  <text x="8" y="20" font-weight="bold" font-size="15">${escaped(title)}, ${escaped(unit)} (less is better)</text>
${lines.join('\n')}
</svg>
`;
}
