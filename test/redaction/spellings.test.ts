import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { redact } from '../../src/client/index.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import { createWebhookReceiver, standardWebhooks } from '../../src/webhooks/index.ts';
import { requestId, transferParams, usParams } from '../client/operations.ts';
import { clientOf, failure, printedForms, scripted } from '../client/support.ts';
import { transferOf } from '../fixtures/params.ts';
import { rejected, signedRequest, secret as webhookSecret } from '../webhooks/support.ts';

// design.md, *Errors*: "the same text in another spelling (Unicode forms, HTML, JSON and percent escapes, base64 of the
// whole) is the same secret, a different text (no accents, other order) is not guarded against".

const secrets = [
  'José Núñez',
  'Zoë & Co <"O\'Brien">',
  '司馬相如',
  '한국어 이름',
  'Ελένη Παπαδάκη',
  'Γιάννης Σοφός',
  'İpek Işık',
  'Straße 5/7',
  'Nguyễn Thị Ánh',
  'ﬁnance Ltd. ½',
  'Ann/Lee\\Marrow',
  'pay-key_Zk3/+=',
  '50% of Marrow',
  'a&amp;b %20 \\u00e9',
];

const characters = (change: (character: string, code: number) => string) => (text: string) =>
  [...text].map((character) => change(character, character.codePointAt(0) ?? 0)).join('');

const hex = (code: number, digits = 1) => code.toString(16).padStart(digits, '0');
const units = (text: string, change: (unit: number) => string) =>
  Array.from(text, (_none, index) => index)
    .slice(0, text.length)
    .map((index) => change(text.charCodeAt(index)))
    .join('');
const markup = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const named = new Map(
  Object.entries({
    é: '&eacute;',
    ú: '&uacute;',
    ñ: '&ntilde;',
    ë: '&euml;',
    ß: '&szlig;',
    Ε: '&Epsilon;',
    λ: '&lambda;',
    '½': '&frac12;',
    '/': '&sol;',
    ' ': '&nbsp;',
    '.': '&period;',
  }),
);
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const jsonUnits = (text: string) =>
  units(json(text), (unit) => (unit > 126 ? `\\u${hex(unit, 4)}` : String.fromCharCode(unit)));
const base64 = (text: string) => Buffer.from(text).toString('base64');

const spellings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  NFC: (text) => text.normalize('NFC'),
  NFD: (text) => text.normalize('NFD'),
  NFKC: (text) => text.normalize('NFKC'),
  NFKD: (text) => text.normalize('NFKD'),
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
  'full width': characters((character, code) =>
    code > 32 && code < 127 ? String.fromCodePoint(code + 0xfee0) : character,
  ),
  'markup of HTML': markup,
  'markup of HTML, twice': (text) => markup(markup(text)),
  'decimal references': characters((_character, code) => `&#${code};`),
  'decimal references beyond ASCII': characters((character, code) => (code > 126 ? `&#${code};` : character)),
  'hexadecimal references': characters((_character, code) => `&#x${hex(code).toUpperCase()};`),
  'named references': (text) =>
    characters((character) => named.get(character) ?? character)(markup(text.normalize('NFC'))),
  JSON: json,
  'JSON in JSON': (text) => json(json(text)),
  'JSON in ASCII': jsonUnits,
  'JSON in ASCII, decomposed': (text) => jsonUnits(text.normalize('NFD')),
  'JSON with escaped slashes': (text) => json(text).replaceAll('/', '\\/'),
  'percent escapes': encodeURIComponent,
  'percent escapes of a form': (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  'percent escapes in lower case': (text) => encodeURIComponent(text).toLowerCase(),
  'percent escapes of all': (text) => [...Buffer.from(text)].map((byte) => `%${hex(byte, 2)}`).join(''),
  'percent escapes, twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'percent escapes in HTML': (text) => markup(encodeURIComponent(text)),
  base64,
  'base64 without padding': (text) => base64(text).replace(/=+$/, ''),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 in a URL': (text) => encodeURIComponent(base64(text)),
  'base64 in JSON': (text) => base64(text).replaceAll('/', '\\/'),
  'base64 of the decomposed form': (text) => base64(text.normalize('NFD')),
};

const matrix = secrets.flatMap((secret) =>
  Object.entries(spellings).map(([how, spell]) => ({ secret, how, spelled: spell(secret) })),
);

/** The message and every printed form of the error in which a service repeats what was sent. */
async function printed(sent: string, sentence: string): Promise<string> {
  const body = { code: 100001, error: 'FIELD_VALIDATION_ERROR', errorDetails: sentence };
  const accountHolder = { ...usParams.accountHolder, name: sent };
  const client = clientOf(scripted(() => Response.json(body, { status: 400 })));
  const error = await failure(client.accounts.create('u1', { ...usParams, accountHolder }));
  expect(printedForms(error)).toContain(error.message);
  return error.message;
}

describe('what was sent is masked in the words of the service', () => {
  it.each(matrix)('in another spelling: $secret, $how', async ({ secret, spelled }) => {
    expect(await printed(secret, `No ${spelled} here, (${spelled}).`)).toContain(
      'No [redacted] here, ([redacted])',
    );
  });

  it('in any mixture of spellings, character by character', async () => {
    const forms = [
      (character: string) => character,
      (character: string) => `&#${character.codePointAt(0)};`,
      (character: string) => `&#x${hex(character.codePointAt(0) ?? 0)};`,
      (character: string) => units(character, (unit) => `\\u${hex(unit, 4)}`),
      (character: string) => [...Buffer.from(character)].map((byte) => `%${hex(byte, 2)}`).join(''),
      (character: string) => character.normalize('NFD'),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('José Núñez', 'Straße 5/7', '司馬相如', 'Ann/Lee\\Marrow'),
        fc.infiniteStream(fc.constantFrom(...forms)),
        async (secret, choices) => {
          const spelled = [...secret].map((character) => choices.next().value(character)).join('');
          expect(await printed(secret, `No ${spelled} here`)).toContain('No [redacted] here');
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([
    ['José Núñez', 'Jose Nunez'],
    ['José Núñez', 'Núñez, José'],
    ['Marrow', 'Marrows'],
    ['Rene', 'Rene\u0301'],
  ])('but not another text: %s, %s', async (secret, other) => {
    expect(await printed(secret, `No ${other} here`)).toContain(`No ${other} here`);
  });

  it('with the prefix of a webhook secret, and without it', async () => {
    const bare = webhookSecret.slice('whsec_'.length);
    for (const [sent, shown] of [
      [webhookSecret, bare],
      [bare, webhookSecret],
      ['nothing', webhookSecret],
    ] as const) {
      const message = await printed(sent, `The secret ${shown} is in use`);
      expect(message).toContain('[redacted] is in use');
      expect(message).not.toContain(bare);
    }
    expect(await printed('nothing', 'It must begin with whsec_ here')).toContain('begin with whsec_ here');
    expect(redact(`signed by ${webhookSecret}.`)).toBe('signed by [redacted].');
  });

  it('and an upload of 20,000 lines does not cost the error', async () => {
    const lines = Array.from({ length: 20_000 }, (_none, index) => `李 ${index} of Núñez`).join('\n');
    const form = new FormData();
    form.append('file', new Blob([lines]), 'payroll.csv');
    const client = clientOf(
      scripted(() =>
        Response.json({ error: 'Bad', errorDetails: 'No &eacute;t&eacute; here' }, { status: 400 }),
      ),
    );
    const error = await failure(client.request({ method: 'POST', path: '/v2/files', body: form }));
    expect(error.message).toContain('No &eacute;t&eacute; here');
  });
});

describe('a value of an event is masked in the error of a handler', () => {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
  });
  afterEach(() => void vi.restoreAllMocks());

  it.each(matrix)('in another spelling: $secret, $how', async ({ secret, spelled }) => {
    const handle = createWebhookReceiver({
      verifier: standardWebhooks({ secret: webhookSecret }),
    }).handler({
      otherwise: () => {
        throw new Error(`No ${spelled} here`);
      },
    });
    await handle(await signedRequest({ ...rejected, data: { transferId: 'tr_1', comment: secret } }));
    expect(lines.join()).toContain('Error: No [redacted] here');
    expect(lines.join()).not.toContain(`No ${spelled} here`);
  });

  it('and so is a secret of webhooks, while a word of a closed list and an id of the service are shown', async () => {
    const handle = createWebhookReceiver({
      verifier: standardWebhooks({ secret: webhookSecret }),
    }).handler({
      otherwise: () => {
        throw new Error(`no route on POLYGON for USDC, ${requestId}, with ${webhookSecret}`);
      },
    });
    const data = { chain: 'POLYGON', currency: 'usdc', transferId: requestId };
    await handle(await signedRequest({ ...rejected, data }));
    expect(lines.join()).toContain(`no route on POLYGON for USDC, ${requestId}, with [redacted]`);
  });
});

// Issue 60: "A message never hides its own remedy. … Words of a closed list (currency, chain, rail, type) and the ids of the
// service are no secrets; what is personal or a credential is."
describe('the remedy of a message', () => {
  it('is shown by the emulator’s words about a currency and a chain', async () => {
    const emulator = createEmulator();
    const { userId } = emulator.createUser();
    const payments = clientOf(emulator.fetch);
    const coin = await failure(payments.transfers.create({ ...transferOf(userId), currency: 'USDC' }));
    expect(coin.message).toContain("must be a coin in lower case, such as 'usdc'");
    const chain = await failure(payments.transfers.create({ ...transferOf(userId), chain: 'polygon' }));
    expect(chain.message).toContain('POLYGON');
    expect(`${coin.message}${chain.message}`).not.toContain('[redacted]');
  });

  it.each<[field: string, sent: string, words: string]>([
    ['currency', 'USDC', "must be a coin in lower case, such as 'usdc'"],
    ['currency', 'eurc', 'EURC is not one of USDC, USDT'],
    ['chain', 'polygon', 'must be one of POLYGON, BASE'],
    ['rail', 'OnRamp', 'must be onramp or offramp'],
    ['type', 'AFRICA', 'must be us or africa'],
    ['transferType', 'WIRE', 'must be ach or wire'],
    ['accountType', 'Savings', 'must be checking or savings'],
    ['purposeOfPayment', 'School-Fees', 'must be gift, groceries or school-fees'],
    ['idType', 'pass', 'must be NIT, PASS or PEP'],
    ['swiftCharges', 'OURS', 'must be sha or our, not ours'],
    ['transferId', requestId, `There is no transfer ${requestId}`],
    ['userId', requestId, `There is no user ${requestId}`],
  ])(
    'is shown where what was sent is a word of a closed list or an id: %s %s',
    async (field, sent, words) => {
      for (const body of [{ [field]: sent }, { deep: [{ [field]: sent }] }, { [field]: [sent] }]) {
        const client = clientOf(
          scripted(() => Response.json({ error: 'BAD', errorDetails: words }, { status: 400 })),
        );
        const error = await failure(client.request({ method: 'POST', path: '/v2/x', body }));
        expect(error.message).toContain(words);
      }
    },
  );

  it('shows an id of a path and a word of a query', async () => {
    const words = `There is no user ${requestId} with the rail onramp`;
    const client = clientOf(
      scripted(() => Response.json({ error: 'BAD', errorDetails: words }, { status: 404 })),
    );
    const error = await failure(client.accounts.list(requestId, { rail: 'onramp' }));
    expect(error.message).toContain(words);
  });

  it.each<[field: string, sent: string]>([
    ['name', 'Base'],
    ['type', 'Ada Lovelace'],
    ['userId', 'ada-lovelace'],
    ['apiKey', requestId],
    ['walletAddress', '0xAbCdEfGh'],
    ['id', 'passport-AB'],
  ])('does not show what is personal or a credential: %s %s', async (field, sent) => {
    const body = { error: 'BAD', errorDetails: `No ${sent} here` };
    const client = clientOf(scripted(() => Response.json(body, { status: 400 })));
    const error = await failure(client.request({ method: 'POST', path: '/v2/x', body: { [field]: sent } }));
    expect(error.message).toContain('No [redacted] here');
  });

  it('does not show a word that is sent as something else, too', async () => {
    const words = { error: 'BAD', errorDetails: 'No Base here' };
    const client = clientOf(scripted(() => Response.json(words, { status: 400 })));
    const body = { chain: 'BASE', name: 'Base' };
    const error = await failure(client.request({ method: 'POST', path: '/v2/x', body }));
    expect(error.message).toContain('No [redacted] here');
  });

  it('does not show the token, whatever field has it, too', async () => {
    const body = { error: 'BAD', errorDetails: `No ${requestId} here` };
    const client = clientOf(
      scripted(() => Response.json(body, { status: 400 })),
      { accessToken: requestId },
    );
    const error = await failure(client.transfers.create({ ...transferParams, requestId }));
    expect(error.message).toContain('No [redacted] here');
  });
});
