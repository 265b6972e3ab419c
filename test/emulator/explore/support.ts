import {
  isPaymentsError,
  type PaymentsClient,
  requestIdFrom,
  type TransferBatchCreateParams,
  type TransferCreateParams,
} from 'stablecoin-payments';
import type { ExploreOptions, World } from 'stablecoin-payments/emulator';

export type Claim = 'accepted' | 'not-made' | 'ask-again';
export type Program = Pick<ExploreOptions, 'pay' | 'hear' | 'check'>;

export const KEY = requestIdFrom('invoice', 'inv-7');

/** A payment row. */
export interface Row {
  state?: 'in doubt' | 'accepted' | 'not-made' | 'paid';
  requestId?: string;
  begins?: number;
  open?: number;
  at?: number;
}

export const order = ({ payer, payee }: Pick<World, 'payer' | 'payee'>, requestId = KEY, amount = 25) =>
  ({
    requestId,
    source: { userId: payer },
    destination: { userId: payee },
    amount,
    currency: 'usdc',
    chain: 'POLYGON',
  }) satisfies TransferCreateParams;

export const batchOrder = (
  { payer, payee }: Pick<World, 'payer' | 'payee'>,
  requestId: string,
  amounts: readonly number[] = [10, 20],
) =>
  ({
    requestId,
    source: { userId: payer },
    destination: { batch: amounts.map((amount) => ({ userId: payee, amount })) },
    currency: 'usdc',
    chain: 'POLYGON',
  }) satisfies TransferBatchCreateParams;

/** What a failure says, read as the guides say. */
export function claimOf(error: unknown): Claim {
  if (!isPaymentsError(error)) throw error;
  if (error.outcome === 'succeeded' || error.code === 'request_id_known') return 'accepted';
  return error.outcome === 'unknown' ? 'ask-again' : 'not-made';
}

const accepted = (): Claim => 'accepted';

/** A call, and what its failure is taken for. */
export const claim = (
  call: PromiseLike<unknown>,
  onError: (error: unknown) => Claim = claimOf,
): Promise<Claim> => Promise.resolve(call).then(accepted, onError);

/** Counts the begins of a row, and returns the number of this one. */
export async function begin({ store }: Pick<World, 'store'>, key: string): Promise<number> {
  const { begins = 1 } = await store.update<Row>(key, (row) => ({
    state: 'in doubt',
    ...row,
    begins: (row?.begins ?? 0) + 1,
  }));
  return begins;
}

/** Ends a row, unless another process has begun meanwhile. */
export async function end(
  { store }: Pick<World, 'store'>,
  key: string,
  begun: number,
  state: Claim,
): Promise<Claim> {
  if (state === 'ask-again') return state;
  const row = await store.update<Row>(key, (before = {}) => {
    if (state === 'accepted') return { ...before, state };
    return before.begins === begun && before.state !== 'accepted' ? { ...before, state } : before;
  });
  return row.state === state ? state : 'ask-again';
}

/** The payer of the guides: a row that counts its begins, and a key made of the invoice. */
export async function payOnce(
  world: World,
  key = KEY,
  call = (payments: PaymentsClient, inDoubt: boolean): PromiseLike<unknown> =>
    payments.transfers.create(order(world, key), { inDoubt }),
): Promise<Claim> {
  const begun = await begin(world, key);
  return end(world, key, begun, await claim(call(world.payments, begun > 1)));
}
