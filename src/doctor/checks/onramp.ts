import { canRefreshQuote, type Onramp, quoteExpiresAt } from 'stablecoin-payments';
import { observe, type Surroundings } from '../observed-call.ts';
import { note } from '../report.ts';
import { checkKeys } from './idempotency.ts';
import { judgeWrite } from './judge.ts';
import { compare, type Sample } from './sample.ts';

/** Creates onramps, which nobody pays, and refreshes the quote of one. */
export async function checkOnramp(around: Surroundings): Promise<void> {
  const { report, userId } = around;
  const amount = 10.25;
  const sample: Sample = {
    operation: 'onramps.create',
    amount,
    pays: `${amount} usd`,
    sent: {
      'source.userId': userId,
      'source.amount': amount,
      'source.currency': 'usd',
      'destination.userId': userId,
      'destination.currency': 'usdc',
      'destination.chain': 'POLYGON',
    },
  };
  await checkKeys(
    around,
    sample,
    (by, requestId, of) =>
      by.onramps.create({
        requestId,
        source: { userId, currency: 'usd', amount: of, transferType: 'ach' },
        destination: { userId, currency: 'usdc', chain: 'POLYGON' },
      }),
    async (made, isFirst) => {
      for (const [onramp, ...more] of made) {
        const references = [onramp, ...more].flatMap(
          (one) => one.transferDetails.depositInfo?.reference ?? [],
        );
        if (isFirst && new Set(references).size > 1) note(report, sample.operation, 'warning', newReference);
        report.open.push(`onramp ${onramp.transferDetails.id}: waits for a deposit, which nobody makes`);
        if (isFirst && canRefreshQuote(onramp)) await checkRefresh(around, sample, onramp);
      }
      return made.length < 2;
    },
  );
}

const newReference =
  'A repeated `requestId` shows another reference of the deposit. Ask the operator whether a deposit with the first one is found.';

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
