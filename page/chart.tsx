import { field, textAt } from './api.ts';

/** The rows of a metric's results as bars; the table says the same to those who do not see them. */
export function Chart({ results }: { results: unknown }) {
  const data = field(results, 'data');
  const rows = (Array.isArray(data) ? data : []).slice(-60);
  const value = (row: unknown): number =>
    Number(field(row, 'grossVolume') ?? field(row, 'transactionCount') ?? 0);
  const most = Math.max(...rows.map(value), 0);
  if (rows.length === 0) return <p class="empty">Nothing is counted yet.</p>;
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${rows.length * 10} 60`} preserveAspectRatio="none" aria-hidden="true">
        {rows.map((row, place) => {
          const height = most === 0 ? 0 : Math.max((value(row) / most) * 58, value(row) > 0 ? 1 : 0);
          return <rect key={place} x={place * 10 + 1} y={60 - height} width={8} height={height} />;
        })}
        <line x1="0" y1="60" x2={rows.length * 10} y2="60" />
      </svg>
      <figcaption>
        {textAt(rows[0], 'periodStart').slice(0, 10)} to {textAt(rows.at(-1), 'periodStart').slice(0, 10)}, at
        most {most.toLocaleString('en')}
      </figcaption>
      <details>
        <summary>Numbers</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Period</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <tr key={place}>
                <td>{labelOf(row)}</td>
                <td>{value(row).toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** The period, and the breakdowns of the row. */
function labelOf(row: unknown): string {
  const entries = typeof row === 'object' && row !== null ? Object.entries(row) : [];
  const more = entries.filter(([name]) => !['periodStart', 'grossVolume', 'transactionCount'].includes(name));
  return [textAt(row, 'periodStart').slice(0, 10), ...more.map(([, part]) => String(part))].join(', ');
}
