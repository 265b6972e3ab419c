import fc from 'fast-check';
import { afterAll, vi } from 'vitest';

/** Property tests make the same cases in each run. `PAYMENTS_TEST_SEED` chooses others; the nightly run does. */
fc.configureGlobal({ seed: Number(process.env.PAYMENTS_TEST_SEED ?? 20_261_122) });

// Node sets its own dispatcher when its fetch is first touched. A file that imports another version of undici before
// that would set that version's for all files of the worker.
new Headers();

// Files share a worker: what one changes does not reach the next.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
