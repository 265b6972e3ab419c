import { allocationTable } from './allocation.ts';
import { type Bar, bars, type Results } from './bars.ts';
import { workloads } from './calls.ts';
import { table } from './table.ts';
import { ours } from './targets.ts';
import { warmingTable } from './warming.ts';

const name = (client: string) => (client === ours ? `**${client}**` : client);
const whole = (value: number | undefined) =>
  value === undefined || Number.isNaN(value) ? '' : Math.round(value).toLocaleString('en');
const kilobytes = (bytes: number | undefined) => (bytes === undefined ? '' : (bytes / 1000).toFixed(1));
const worthOf = (below: number) => (below === 0 ? 'never' : Number.isFinite(below) ? whole(below) : 'always');
const origin = ({ date, command, machine }: Results) =>
  `Measured on ${date} with \`${command}\`, ${machine}.`;

/** The measured part of the documentation, as Markdown. */
export function toMarkdown(results: Results): string {
  return [
    origin(results),
    '',
    barTable(bars(results)),
    '',
    'CPU of the client’s process per call, in microseconds; and calls per second:',
    '',
    table(
      ['client', ...workloads.map(({ title }) => title), 'calls/s, GET small, 64 at once'],
      Object.entries(results.calls).map(([client, byWorkload]) => [
        name(client),
        ...workloads.map(({ key }) => whole(byWorkload[key]?.cpu)),
        whole(byWorkload.small64?.perSecond),
      ]),
    ),
    '',
    'Cold starts in milliseconds, memory then, and the weight of a one-call program:',
    '',
    table(
      ['client', 'import', 'process start to first response', 'RSS, MB', 'bundle, KB min', 'KB min+gzip'],
      Object.entries(results.starts).map(([client, start]) => [
        name(client),
        whole(start.import),
        whole(start.first),
        whole(start.rss),
        kilobytes(results.bundles[client]?.min),
        kilobytes(results.bundles[client]?.gzip),
      ]),
    ),
    '',
    'CPU per call in microseconds while a process warms up, with 16 calls at a time:',
    '',
    warmingTable(results.warming),
    '',
    'Heap that a warm call allocates, response included:',
    '',
    allocationTable(results.allocation),
    '',
    `A walk of approvals keeps ${whole(results.seenIds.walk)} bytes for each, its id.`,
    '',
    'Compressed responses. The client does not request them by default. The cost of the server is not included:',
    '',
    table(
      ['response', 'bytes', 'gzip', 'CPU, µs', 'gzip', 'worth it below, Mbit/s'],
      results.compression.map(({ title, bytes, cpu, worthBelow }) => [
        title,
        whole(bytes.plain),
        whole(bytes.gzip),
        whole(cpu.plain),
        whole(cpu.gzip),
        worthOf(worthBelow),
      ]),
    ),
  ].join('\n');
}

/** What was wanted and what was measured, as a Markdown table. */
export const barTable = (all: readonly Bar[]) =>
  table(
    ['goal', 'wanted', 'measured', 'result'],
    all.map(({ what, wanted, measured, met }) => [what, wanted, measured, met ? 'met' : '**not met**']),
  );

/** Puts text between a document's markers. */
export function fillMarkers(document: string, text: string): string {
  const [start, end] = ['<!-- bench:start -->', '<!-- bench:end -->'];
  const from = document.indexOf(start);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error('the document has no markers for the measured part');
  return `${document.slice(0, from + start.length)}\n${text}\n${document.slice(to)}`;
}
