import { styleText } from 'node:util';

/** Prints the progress and the results of the quickstart. */

const interactive = process.stdout.isTTY === true;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
let steps = 0;

/** Prints the heading of a step. */
export function step(title: string): void {
  steps += 1;
  console.log(`\n${styleText('bold', `${String(steps).padStart(2)}. ${title}`)}`);
}

/** Prints one fact of a step. */
export function fact(name: string, value: unknown): void {
  console.log(`    ${styleText('dim', name.padEnd(22))} ${String(value)}`);
}

/** Prints that a step succeeded. */
export function done(sentence: string): void {
  console.log(`    ${styleText('green', '✓')} ${sentence}`);
}

/** Stops the quickstart when a result is wrong, so that it never claims a success that did not happen. */
export function expect(condition: boolean, sentence: string): void {
  if (!condition) throw new Error(`expected that ${sentence}`);
  done(sentence);
}

/** Shows progress: a spinner in a terminal, one line elsewhere. */
export async function waiting<T>(
  label: string,
  work: (progress: (part: string) => void) => Promise<T>,
): Promise<T> {
  const started = Date.now();
  let part = '';
  let frame = 0;
  const draw = () => {
    frame += 1;
    process.stdout.write(
      `\r\u001b[K    ${styleText('cyan', frames[frame % frames.length] ?? '')} ${label} ${styleText('dim', part)}`,
    );
  };
  const timer = interactive ? setInterval(draw, 80) : undefined;
  if (!interactive) console.log(`    … ${label}`);
  try {
    return await work((text) => {
      part = text;
    });
  } finally {
    clearInterval(timer);
    if (interactive) process.stdout.write('\r\u001b[K');
    done(`${label} ${styleText('dim', `(${((Date.now() - started) / 1000).toFixed(1)} s)`)}`);
  }
}

/** A progress bar as text. */
export function bar(share: number, width = 24): string {
  const full = Math.round(share * width);
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} ${Math.round(share * 100)} %`;
}

/** Draws one bar per row, scaled to the largest. */
export function chart(
  rows: readonly { label: string; value: number; colour?: 'cyan' | 'magenta' }[],
  width = 44,
): void {
  const largest = Math.max(...rows.map(({ value }) => value), 1);
  for (const { label, value, colour = 'cyan' } of rows) {
    const eighths = Math.round((value / largest) * width * 8);
    const line =
      '█'.repeat(Math.floor(eighths / 8)) + (['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8] ?? '');
    const amount = value.toLocaleString('en-US', { maximumFractionDigits: 0 });
    console.log(`    ${styleText('dim', label)} ${styleText(colour, line)} ${amount}`);
  }
}
