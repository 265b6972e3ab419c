import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import * as fc from 'fast-check';
import { createEmulator, type DialectName } from 'stablecoin-payments/emulator';
import { expect, it } from 'vitest';
import { cases } from '../../cases.ts';
import { caller, HOLDER, INSTRUCTIONS, newId, onramp, transfer, WALLET } from '../support.ts';
import { REGIONS } from './regions.ts';

type Json = Record<string, unknown>;

const PERSON = { dateOfBirth: '1990-01-01', idNumber: '1', nationality: 'CHN' };

/** A good body for each operation that takes one, with every field that the types have. */
function bodies(userId: string, accountId: string): [path: string, body: Json][] {
  const account = (part: Json): [string, Json] => [
    `/v2/users/${userId}/accounts`,
    { rail: 'offramp', accountHolder: { ...HOLDER, ...PERSON }, ...part },
  ];
  return [
    ['/v2/onramps', { ...onramp(userId), purposeOfPayment: 'gift', isInstant: true, fee: null }],
    [
      '/v2/onramps',
      onramp(userId, { amount: undefined }, { amount: 5, userId: undefined, externalWalletId: 'w' }),
    ],
    [
      '/v2/onramps',
      {
        ...onramp(userId, { currency: 'ugx', amount: 5000, transferType: undefined, accountId }),
        purposeOfPayment: 'gift',
        fee: { type: 'PERCENT', value: '1.5' },
      },
    ],
    ['/v2/wallets/transfers', transfer(userId, { requireApproval: true, fee: { type: 'FIX', value: 1 } })],
    ['/v2/wallets/transfers', transfer(userId, { destination: { walletAddress: WALLET } })],
    [
      '/v2/wallets/transfers/batches',
      {
        ...transfer(userId, { amount: undefined }),
        destination: {
          batch: [
            { userId, amount: '1.5' },
            { walletAddress: WALLET, amount: '2' },
          ],
        },
      },
    ],
    [
      '/v2/wallets/bridges',
      {
        requestId: newId(),
        amount: 5,
        source: { userId, chain: 'POLYGON', currency: 'usdc' },
        destination: { chain: 'BASE', currency: 'usdc', walletAddress: WALLET },
        requireApproval: false,
      },
    ],
    [
      '/v2/offramps',
      {
        requestId: newId(),
        purposeOfPayment: 'gift',
        description: 'd',
        supportingDocumentType: 'invoice',
        supportingDocumentUrl: 'https://x.test/i',
        source: { userId, currency: 'usdc', chain: 'POLYGON', amount: 5 },
        destination: {
          accountId: 'an-account',
          currency: 'usd',
          userId,
          ...INSTRUCTIONS,
        },
        requireApproval: true,
      },
    ],
    [
      '/v2/offramps',
      {
        requestId: newId(),
        source: { externalWalletId: 'w', currency: 'usdc', chain: 'POLYGON' },
        destination: { accountId: 'an-account', currency: 'eur', amount: 7 },
      },
    ],
    ...REGIONS.map((region, place) => account({ ...region, rail: place === 0 ? 'onramp' : 'offramp' })),
    account({ type: 'chile', chile: { rut: 'r' } }),
  ];
}

async function scene(dialect: DialectName) {
  const emulator = createEmulator({ seed: 4, accountValidation: 0, dialect });
  const { userId } = emulator.createUser({ rails: ['usd', 'africa'] });
  const call = caller(emulator.fetch, 'http://payments.test:8080');
  const africa = { financialInstitute: 'M', accountType: 'momo', accountNumber: '1' };
  const { body: account } = await call('POST', `/v2/users/${userId}/accounts`, {
    rail: 'onramp',
    type: 'africa',
    accountHolder: HOLDER,
    africa: { ...africa, currency: 'ugx', country: 'uga' },
  });
  const { body: document } = await call('GET', '/_emulator/openapi.json');
  const ajv = new Ajv2020({ strict: false, code: { optimize: false }, inlineRefs: false });
  formats.default(ajv);
  ajv.addSchema({ ...document, $id: 'service' });
  const fits = (path: string, body: unknown) => {
    const template = path.replace(userId, '{userId}').replaceAll('~', '~0').replaceAll('/', '~1');
    const place = `#/paths/${template}/post/requestBody/content/application~1json/schema`;
    const validate = ajv.getSchema(`service${encodeURI(place)}`);
    if (validate === undefined) throw new Error(`${path} is not described`);
    return { valid: validate(body) === true, errors: ajv.errorsText(validate.errors) };
  };
  return { emulator, call, fits, document, bodies: bodies(userId, account.id) };
}

/** Whether the service refused a body for its form, and not for what it names. */
const isRefused = ({ status, text }: { status: number; text: string }) =>
  status === 400 && /FIELD_VALIDATION_ERROR/.test(text);

it.each(['spec', 'field'] as const)('%s: every good body is accepted, and described', async (dialect) => {
  const { bodies, call, fits } = await scene(dialect);
  for (const [path, body] of bodies) {
    const answer = await call('POST', path, body);
    expect([path, body.type, answer.status, answer.status > 299 ? answer.text : '']).toEqual([
      path,
      body.type,
      dialect === 'field' ? 200 : 201,
      '',
    ]);
    expect([path, body.type, fits(path, JSON.parse(JSON.stringify(body))).errors]).toEqual([
      path,
      body.type,
      'No errors',
    ]);
  }
});

it.each(['spec', 'field'] as const)('%s: every event is described by its kind', async (dialect) => {
  const received: Json[] = [];
  const emulator = createEmulator({
    seed: 6,
    dialect,
    accountValidation: 0,
    webhook: {
      url: 'http://receiver.test/',
      fetch: async (_, { body }) => {
        received.push(JSON.parse(String(body)));
        return new Response(null);
      },
    },
  });
  const { userId } = emulator.createUser({ rails: ['usd', 'africa'] });
  const call = caller(emulator.fetch, 'http://payments.test');
  const { body: document } = await call('GET', '/_emulator/openapi.json');
  for (const [path, body] of bodies(userId, 'none')) await call('POST', path, body);
  for (const { id } of emulator.state().onramps) {
    if (dialect === 'field') emulator.acceptQuote(id);
    emulator.simulateDeposit(id);
  }
  for (const { id, transferDetails } of emulator.state().transfers)
    if (transferDetails.status === 'OPEN_QUOTE') emulator.acceptQuote(id);
  for (const [place, { id }] of emulator.state().approvals.entries())
    if (place < 2) place === 0 ? emulator.approve(id) : emulator.reject(id);
  await call('POST', '/v2/wallets/transfers', transfer(userId, { requireApproval: true }));
  emulator.clock.advance('7d');
  await emulator.delivered();
  const ajv = new Ajv2020({ strict: false, code: { optimize: false }, inlineRefs: false });
  formats.default(ajv);
  ajv.addSchema({ ...document, $id: 'service' });
  for (const event of received) {
    const place = `#/webhooks/${String(event.eventType)}/post/requestBody/content/application~1json/schema`;
    const validate = ajv.getSchema(`service${place}`);
    expect([event.eventType, validate?.(event), ajv.errorsText(validate?.errors)]).toEqual([
      event.eventType,
      true,
      'No errors',
    ]);
  }
  expect(new Set(received.map(({ eventType }) => eventType)).size).toBeGreaterThan(
    dialect === 'spec' ? 4 : 20,
  );
});

it('names the address at which it was asked', async () => {
  const { document } = await scene('spec');
  expect(document.servers).toEqual([{ url: 'http://payments.test:8080', description: 'The emulator.' }]);
});

it.each(['spec', 'field'] as const)(
  '%s: what the emulator refuses the description refuses, and what the one accepts the other accepts',
  async (dialect) => {
    const { bodies, call, fits } = await scene(dialect);
    const value = fc.constantFrom<unknown>(
      ...[
        undefined,
        null,
        '',
        ' ',
        ' x ',
        'x',
        'usd',
        'ugx',
        'brl',
        '1.5',
        '0',
        true,
        0,
        -1,
        5,
        2e15,
        [],
        {},
      ],
      ...[
        'us',
        'africa',
        'europe',
        'onramp',
        'x'.repeat(501),
        '\u{1f600}'.repeat(251),
        '+256700000000',
        ['x'],
      ],
      ...[
        '2026-13-45',
        'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11',
        [{}],
        [{ amount: '1', userId: 'u' }],
        { amount: 5 },
      ],
    );
    const change = fc.record({ place: fc.nat(), deep: fc.nat(), value, add: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.array(change, { minLength: 1, maxLength: 2 }), async (which, changes) => {
        const [path, good] = bodies[which % bodies.length] ?? ['', {}];
        const body: Json = structuredClone({ ...good, requestId: newId() });
        if (good.requestId === undefined) delete body.requestId;
        for (const { place, deep, value, add } of changes) {
          const inner = Object.values(body).filter((part): part is Json => isPlain(part));
          const target = inner.length > 0 && deep % 3 > 0 ? (inner[deep % inner.length] ?? body) : body;
          const names = Object.keys(target);
          const name = add ? 'strange' : (names[place % names.length] ?? 'strange');
          target[name] = structuredClone(value);
        }
        const sent: unknown = JSON.parse(JSON.stringify(body));
        const answer = await call('POST', path, sent);
        expect(answer.status).toBeLessThan(500);
        const { valid, errors } = fits(path, sent);
        expect([isRefused(answer), JSON.stringify(sent), answer.text.slice(0, 300), errors]).toEqual([
          !valid,
          JSON.stringify(sent),
          answer.text.slice(0, 300),
          errors,
        ]);
      }),
      { numRuns: cases(250, 3_000), seed: 23 },
    );
  },
);

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
