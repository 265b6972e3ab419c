/** What so many recipients cost. */
export interface Figures {
  readonly count: number;
  /** Recipients of an order. */
  readonly size: number;
  readonly enqueueSeconds: number;
  /** Memory of the submitter, beyond what it has for the orders themselves. */
  readonly enqueueMegabytes: number;
  /** Recipients a second. */
  readonly perSecond: number;
  /** The most memory of a worker. */
  readonly workerMegabytes: number;
  /** Seconds of CPU of all workers. */
  readonly workerCpu: number;
  /** Transactions of an order, those of pg-boss and of this program's questions included. */
  readonly transactions: number;
  /** Growth of the database for each recipient. */
  readonly databaseKilobytes: number;
}

const number = (value: number, digits = 0): string =>
  Number.isFinite(value)
    ? value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : '–';

const kindOf = (size: number): string => (size === 1 ? 'single' : `batches of ${size}`);

/** The figures as a table of Markdown, to paste into the guide. */
export function tableOf(figures: readonly Figures[]): string {
  const head = [
    'payouts',
    'enqueue',
    'more memory for it',
    'paid a second',
    'CPU of the worker, for 1,000',
    'memory of a worker',
    'transactions of an order',
    'database, for each',
  ];
  const rows = figures.map((one) => [
    `${number(one.count)}, ${kindOf(one.size)}`,
    `${number(one.enqueueSeconds, 1)} s`,
    `${number(one.enqueueMegabytes)} MB`,
    number(one.perSecond),
    `${number((1000 * one.workerCpu) / one.count, 1)} s`,
    `${number(one.workerMegabytes)} MB`,
    number(one.transactions, 1),
    `${number(one.databaseKilobytes, 1)} KB`,
  ]);
  return tableFrom(head, rows);
}

const tableFrom = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_cell, place) => (place === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map(line).join('\n');
};

const MILLION = 1_000_000;

/** What a million recipients a day need, computed from the largest number that was measured of each kind. */
export function millionOf(figures: readonly Figures[]): string {
  const sizes = [...new Set(figures.map(({ size }) => size))];
  const largest = sizes.flatMap((size) => figures.filter((one) => one.size === size).at(-1) ?? []);
  const times = [
    ['over the day', 86_400],
    ['in one hour', 3600],
  ] as const;
  const rows = largest.flatMap((one) => {
    const orders = MILLION / one.size;
    const cpu = (one.workerCpu / one.count) * MILLION;
    return times.map(([when, seconds]) => [
      `${kindOf(one.size)}, ${when}`,
      number(orders / seconds, 1),
      number(cpu / seconds, 2),
      number((orders * one.transactions) / seconds),
      `${number((one.databaseKilobytes * MILLION) / GIGABYTE, 1)} GB`,
    ]);
  });
  return tableFrom(
    [
      '1,000,000 recipients',
      'calls a second',
      'cores of workers',
      'transactions a second',
      'database, a day',
    ],
    rows,
  );
}

/** In kilobytes. */
const GIGABYTE = 1_048_576;

/** A bar for the CPU of each number of payouts: readable on light and dark pages. */
export function chartOf(figures: readonly Figures[]): string {
  const title = 'Seconds of CPU of a worker for 1,000 recipients (less is better)';
  const costs = figures.map((one) => (1000 * one.workerCpu) / one.count);
  const most = Math.max(...costs);
  const bars = figures.map(({ count, size }, place) => {
    const y = 40 + place * 26;
    const cost = costs[place] ?? 0;
    const width = Math.max(2, (cost / most) * 400);
    return `  <text x="208" y="${y + 14}" text-anchor="end">${number(count)}, ${kindOf(size)}</text>
  <rect x="216" y="${y}" width="${width.toFixed(1)}" height="18" rx="2" fill="${size === 1 ? '#0a7f5a' : '#8a94a6'}"/>
  <text x="${(224 + width).toFixed(1)}" y="${y + 14}">${number(cost, 2)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 ${48 + figures.length * 26}" role="img" aria-label="${title}" font-family="system-ui, sans-serif" font-size="13">
  <style>text { fill: #1f2937 } @media (prefers-color-scheme: dark) { text { fill: #e5e7eb } }</style>
  <text x="8" y="20" font-weight="bold" font-size="15">${title}</text>
${bars.join('\n')}
</svg>
`;
}
