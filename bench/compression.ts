import { gzipSync } from 'node:zlib';
import { approvals, small } from './answers.ts';
import { type Effort, measureCalls, workloads } from './calls.ts';
import { ours, oursCompressed } from './targets.ts';

/** What compressed answers save in bytes and cost in CPU, for one workload. */
export interface Compression {
  readonly title: string;
  readonly bytes: { plain: number; gzip: number };
  readonly cpu: { plain: number; gzip: number };
  /** Megabits a second below which the saved bytes are worth the CPU: 0 for never, infinite for always. */
  readonly worthBelow: number;
}

const bodies: Record<string, unknown> = {
  small64: small,
  list64: approvals,
};

/** Measures plain and compressed answers side by side. What compressing costs the server is left out. */
export async function measureCompression(base: string, effort: Effort): Promise<Compression[]> {
  const chosen = workloads.filter(({ key }) => key in bodies);
  const figures = await measureCalls(base, effort, [ours, oursCompressed], chosen);
  return chosen.map(({ key, title }) => {
    const text = JSON.stringify(bodies[key]);
    const bytes = { plain: Buffer.byteLength(text), gzip: gzipSync(text).length };
    const cpuOf = (name: string) => figures[name]?.[key]?.cpu ?? Number.NaN;
    const cpu = { plain: cpuOf(ours), gzip: cpuOf(oursCompressed) };
    const saved = Math.max(0, bytes.plain - bytes.gzip);
    const cost = Math.max(0, cpu.gzip - cpu.plain);
    // Bits over microseconds are megabits over seconds.
    const worthBelow = saved === 0 ? 0 : (saved * 8) / cost;
    return { title, bytes, cpu, worthBelow };
  });
}
