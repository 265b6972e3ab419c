import { canRefreshQuote, type Onramp, type PaymentsClient, quoteExpiresAt } from 'stablecoin-payments';
import { observe, type Surroundings } from '../observed-call.ts';
import { note } from '../report.ts';
import { createAtOnce, createTwice, sendAgain } from './idempotency.ts';
import { judgeWrite } from './judge.ts';
import { compare, type Sample } from './sample.ts';

/** Creates onramps, which nobody pays, and refreshes the quote of one. */
export async function checkOnramp(around: Surroundings): Promise<void> {
  const { report, userId } = around;
  const sample: Sample = {
    operation: 'onramps.create',
    pays: '10.25 usd',
    sent: {
      'source.userId': userId,
      'source.amount': 10.25,
      'source.currency': 'usd',
      'destination.userId': userId,
      'destination.currency': 'usdc',
      'destination.chain': 'POLYGON',
    },
  };
  const create = (by: PaymentsClient, requestId: string, amount = 10.25) =>
    by.onramps.create({
      requestId,
      source: { userId, currency: 'usd', amount, transferType: 'ach' },
      destination: { userId, currency: 'usdc', chain: 'POLYGON' },
    });
  const requestId = crypto.randomUUID();
  let made = await createTwice(around, sample, requestId, create);
  if (made.length === 1) {
    const changed = { requestId, isChanged: true };
    made = await sendAgain(around, sample, made, changed, (by) => create(by, requestId, 11.25));
  }
  const [onramp] = made[0] ?? [];
  if (onramp !== undefined && canRefreshQuote(onramp)) await checkRefresh(around, sample, onramp);
  if (made.length === 1) made = [...made, ...(await createAtOnce(around, sample, create, made))];
  for (const [{ transferDetails }] of made)
    report.open.push(`onramp ${transferDetails.id}: waits for a deposit, which nobody makes`);
}

async function checkRefresh(around: Surroundings, sample: Sample, onramp: Onramp): Promise<void> {
  const { client, report } = around;
  const refreshed = await observe(around, 'onramps.refreshQuote', () =>
    client.onramps.refreshQuote(onramp.transferDetails.id),
  );
  if (!judgeWrite(around, 'onramps.refreshQuote', refreshed) || refreshed.data === undefined) return;
  compare(around, { ...sample, operation: 'onramps.refreshQuote' }, refreshed.data);
  const expires = quoteExpiresAt(refreshed.data);
  if (expires !== null && expires.getTime() <= around.now())
    note(report, 'onramps.refreshQuote', 'failure', 'The refreshed quote has expired already.');
}
