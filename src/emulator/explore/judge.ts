import { sortedJson } from '../../shared/sorted-json.ts';
import { isRecord } from '../../shared/values.ts';
import type { EmulatedTransferState } from '../service/records/transfer.ts';
import type { EmulatorState } from '../state/emulator-state.ts';
import type { EmulatorPayment } from '../testing/payments.ts';

/** What `pay` says of the payments. */
export type Claim = 'accepted' | 'not-made' | 'ask-again';

export const isClaim = (value: unknown): value is Claim =>
  value === 'accepted' || value === 'not-made' || value === 'ask-again';

/** Payments, each recipient of a batch by itself: a batch may be split. `live`: those that moved money, or still may. */
export interface Made {
  readonly all: readonly string[];
  readonly live: readonly string[];
}

export function madeIn({ transfers, onramps }: EmulatorState, payments: readonly EmulatorPayment[]): Made {
  const dead = new Set(payments.flatMap(({ id, outcome }) => (outcome === 'not-paid' ? [id] : [])));
  const parts = [
    ...transfers.flatMap((transfer) => partsOf(transfer).map((part) => [transfer.id, part] as const)),
    ...onramps.map(({ transferDetails: { id, source, destination } }) => {
      const { userId: from, currency, amount } = source;
      const to = { userId: destination.userId, currency: destination.currency, chain: destination.chain };
      return [id, sortedJson({ kind: 'ONRAMP', from, currency, amount, to })] as const;
    }),
  ];
  return {
    all: parts.map(([, part]) => part),
    live: parts.flatMap(([id, part]) => (dead.has(id) ? [] : [part])),
  };
}

function partsOf({ transferType, transferDetails }: EmulatedTransferState): string[] {
  const { source, destination, amount, currency, chain } = transferDetails;
  const kind = transferType === 'WALLET.TRANSFER.BATCH' ? 'WALLET.TRANSFER' : transferType;
  const recipients = Array.isArray(destination.batch) ? destination.batch.filter(isRecord) : [destination];
  return recipients.map(({ amount: own, ...to }) =>
    sortedJson({ kind, from: source.userId, to, amount: Number(own ?? amount), currency, chain }),
  );
}

/** What is wrong with the payments, whatever the program says of them. */
export function moneyFault(ordered: readonly string[], { live }: Made): string | undefined {
  const extra = without(live, ordered);
  if (extra.length === 0) return undefined;
  return extra.some((part) => ordered.includes(part)) ? 'paid twice' : 'another payment than ordered';
}

/** What is wrong with a claim about the payments. */
export function claimFault(
  claim: Claim,
  ordered: readonly string[],
  { all, live }: Made,
): string | undefined {
  if (claim === 'accepted' && without(ordered, all).length > 0) return "'accepted' without the payment";
  if (claim === 'not-made' && live.length > 0) return "'not-made' with the payment";
  return undefined;
}

/** The items of one list that another one lacks, each as often as it lacks it. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const rest = [...other];
  return list.filter((item) => {
    const place = rest.indexOf(item);
    if (place !== -1) rest.splice(place, 1);
    return place === -1;
  });
}
