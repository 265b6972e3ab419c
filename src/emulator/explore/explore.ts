import { exploreBy } from './exploration.ts';
import type { ExploreOptions } from './options.ts';

/**
 * Runs your function under every schedule of at most `depth` failures, fewest first, against an emulator of its own, and
 * tells what is wrong: a payment that was made twice, another payment than without failures, `accepted` without the
 * payment, `not-made` with it, or a function that asks again for ever.
 *
 * A failure is a crash, a lost or late response, an error status, a response without an id, a write that was not awaited, an
 * event that comes twice, early or last, or another process. After a crash, the next start has a new client and the same
 * rows, an hour later. Every schedule runs with a service that sends the first response to a known `requestId` again
 * (`replay`), and with one that refuses it (`refuse`).
 *
 * The memory of your modules survives a crash here. Rows must be in `store`: your SQL is not explored.
 *
 * @param options - See {@link ExploreOptions}. `pay` is required.
 * @returns The number of schedules, and each mistake with its shortest schedule and a story of it. `wrong` is empty if nothing
 * was found. A mistake that does not come again in a second run says so.
 * @throws TypeError when an option does not exist or has a wrong value, or `pay` returns another word.
 * @throws Error when the run without failures does not end `accepted` with a payment, or a process does not end in 10 seconds.
 *
 * @example
 * ```ts
 * import { explore } from 'stablecoin-payments/emulator';
 *
 * const { wrong } = await explore({
 *   pay: ({ payments, store, payer, payee }) => payInvoice(payments, rowsOn(store), 'inv-7', payer, payee),
 * });
 * expect(wrong).toEqual([]); // or [{ what: 'paid twice', schedule: 'replay 2:crash', story: '…' }]
 * ```
 */
export async function explore(options: ExploreOptions): Promise<{
  /** The number of schedules that were run. */
  schedules: number;
  /** The mistakes, each once. Empty if nothing is wrong. */
  wrong: readonly {
    /** The mistake, such as `paid twice`, or what `check` returned. */
    what: string;
    /** A shortest schedule of it: the option `schedule` runs it again. */
    schedule: string;
    /** What happened, a line a step: what the service did, and what the client saw. */
    story: string;
  }[];
}> {
  // The emulator alone needs no client.
  const { PaymentsClient } = await import('stablecoin-payments');
  return exploreBy(PaymentsClient, options);
}
