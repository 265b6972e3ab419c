import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { type PaymentsClient, requestIdFrom } from 'stablecoin-payments';
import { type ExploreOptions, explore, type World } from 'stablecoin-payments/emulator';
import { describe, expect, test, vi } from 'vitest';
import { buyWithMobileMoney } from '../../../examples/africa-mobile-money.ts';
import { payOut } from '../../../examples/batch-payout.ts';
import { pay } from '../../../examples/frameworks/pay.ts';
import { createLookup } from '../../../examples/invoices/lookup.ts';
import { createPayer } from '../../../examples/invoices/pay.ts';
import { openStore, type Store } from '../../../examples/invoices/store.ts';
import { payInvoice } from '../../../examples/lambda-handler.ts';
import type { ListRows } from '../../../examples/payment-rows.ts';
import { uganda } from '../../../examples/scenes.ts';
import { cases } from '../../cases.ts';
import { root, snippetsOf } from '../../docs/documents.ts';
import { type Claim, order } from './support.ts';

const folder = `${root}.explored`;
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);

/** Imports the program of a document that contains a text, and what it does not export. */
async function programOf(document: string, text: string, exported = ''): Promise<Record<string, unknown>> {
  const snippet = snippetsOf(document).find(({ code }) => code.includes(text));
  if (snippet === undefined) throw new Error(`${document} has no program with ${text}`);
  writeFileSync(`${folder}/${snippet.name}`, `${snippet.code}\n${exported}`);
  return import(/* @vite-ignore */ `${folder}/${snippet.name}`);
}

/** A function of a guide, whose program runs as it is imported. */
async function functionOf<F>(document: string, name: string): Promise<F> {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const program = await programOf(document, `async function ${name}(`, `export { ${name} };`);
  log.mockRestore();
  // The document is what is tested; the compiler has checked it, and the types of these uses are beside them.
  return program[name] as F;
}

/** The rows of the examples, in place of a table. */
const rowsOn = (store: World['store']): ListRows => ({
  begin: async (id) =>
    (await store.update<{ calls: number }>(id, (row) => ({ ...row, calls: (row?.calls ?? 0) + 1 }))).calls,
  end: async (id, call, state) => {
    let isStored = false;
    await store.update<{ calls: number; state?: string }>(id, (row = { calls: call }) => {
      isStored = state === 'accepted' || (row.calls === call && row.state !== 'accepted');
      return isStored ? { ...row, state } : row;
    });
    return isStored;
  },
  keep: (id, text) => store.update<string>(id, (kept = text) => kept),
});

const ofStatus = (status: number): Claim =>
  status === 200 || status === 201 ? 'accepted' : status === 202 ? 'ask-again' : 'not-made';

type GuidePay = (
  payments: PaymentsClient,
  params: ReturnType<typeof order>,
  inDoubt: boolean,
) => Promise<string>;
type GuidePayroll = (
  payments: PaymentsClient,
  rows: Pick<World['store'], 'get' | 'set'>,
  month: string,
  userId: string,
) => Promise<void>;

const recipes: Readonly<Record<string, ExploreOptions['pay']>> = {
  'frameworks/pay.ts': async ({ payments, store, payer, payee }) =>
    ofStatus((await pay(payments, { id: 'inv-7', payer, payee, amount: 25 }, rowsOn(store))).status),
  'lambda-handler.ts': async ({ payments, store, payer, payee }) => {
    const body = JSON.stringify({ invoiceId: 'inv-7', payer, payee, amount: 25 });
    const context = { getRemainingTimeInMillis: () => 60_000 };
    return ofStatus((await payInvoice(payments, rowsOn(store))({ body, headers: {} }, context)).statusCode);
  },
  'batch-payout.ts': async ({ payments, store, payer, payee }) => {
    const payees = Array.from({ length: 51 }, (_, place) => ({ userId: payee, amount: 10 + place }));
    const reports = await payOut(payments, payer, '2026-11', payees, rowsOn(store));
    if (reports.every(({ result }) => result === 'accepted')) return 'accepted';
    return reports.length === 1 && reports[0]?.result === 'refused' ? 'not-made' : 'ask-again';
  },
  'africa-mobile-money.ts': async ({ payments, payer }) => {
    const result = await buyWithMobileMoney(payments, 'p-7', { userId: payer, ...uganda }, 500_000);
    return result.kind === 'correct' ? 'not-made' : 'accepted';
  },
  'the guide about errors': await (async () => {
    const payOf = await functionOf<GuidePay>('docs/guides/errors.md', 'pay');
    return async (world: World): Promise<Claim> => {
      const rows = rowsOn(world.store);
      const params = order(world, requestIdFrom('invoice', 'inv-7'));
      const call = await rows.begin(params.requestId);
      const state = await payOf(world.payments, params, call > 1);
      if (state === 'in doubt') return 'ask-again';
      const claim = state === 'accepted' ? 'accepted' : 'not-made';
      return (await rows.end(params.requestId, call, claim)) ? claim : 'ask-again';
    };
  })(),
  'the guide about retries': await (async () => {
    const payroll = await functionOf<GuidePayroll>('docs/guides/retries-and-idempotency.md', 'payroll');
    return ({ payments, store, payer }: World): Promise<Claim> =>
      payroll(payments, store, '2026-11', payer).then(() => 'accepted');
  })(),
};

/** The invoice application on a database that survives the crashes of a run. Its statements commit at once. */
function invoices(needsApproval: boolean): Pick<ExploreOptions, 'pay' | 'hear' | 'check'> {
  const databases = new Map<string, Store>();
  /** The database of a run. Its name is random, so that no run is taken for another one whose rows are not seen. */
  const databaseOf = async (store: World['store']): Promise<Store> => {
    const name = await store.update<string>('database', (known = crypto.randomUUID()) => known);
    const database = databases.get(name) ?? openStore(':memory:');
    databases.set(name, database);
    return database;
  };
  const payerOf = ({ payments, payer }: World, store: Store) =>
    createPayer({ store, payments, lookup: createLookup(payments, payer), payer });
  return {
    pay: async (world) => {
      const store = await databaseOf(world.store);
      store.add({ id: 'inv-7', payee: world.payee, amount: '25.00', needsApproval });
      const payer = payerOf(world, store);
      const invoice = store.begin('inv-7');
      if (invoice !== undefined) await payer.send(invoice);
      await payer.sweep();
      const state = store.get('inv-7')?.state;
      if (state === 'refused') return 'not-made';
      return state === 'new' || state === 'sending' ? 'ask-again' : 'accepted';
    },
    hear: async ({ eventType, data }, world) => {
      const payer = payerOf(world, await databaseOf(world.store));
      if (eventType.startsWith('TRANSFER.APPROVAL.')) await payer.changed(String(data.transferId));
      if (eventType.startsWith('WALLET.TRANSFER.')) await payer.changed(String(data.id));
    },
    check: async ({ store }) => {
      const state = (await databaseOf(store)).get('inv-7')?.state;
      return state === 'paid' ? undefined : `the invoice is ${state}`;
    },
  };
}

// The recipe of AGENTS.md has its tests with it.
await programOf('AGENTS.md', 'function payInvoice(');

describe.each([1, 2] as const)('a recipe is right with %i processes', (processes) => {
  test.each(Object.entries(recipes))('%s', async (_name, pay) => {
    const { wrong } = await explore({ pay, processes, depth: cases(1, 2) });
    expect(wrong).toEqual([]);
  });

  // At night both kinds with each number.
  const kinds = [false, true].filter(
    (needsApproval) => needsApproval === (processes === 2) || cases(0, 1) === 1,
  );
  test.each(kinds)('examples/invoices, approval %s', async (needsApproval) => {
    const { wrong } = await explore({ ...invoices(needsApproval), processes, depth: cases(1, 2) });
    expect(wrong).toEqual([]);
  });
});
