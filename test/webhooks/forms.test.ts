import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createWebhookReceiver,
  jwtBearer,
  type SignWebhookOptions,
  signWebhook,
  standardWebhooks,
  type WebhookVerifier,
} from '../../src/webhooks/index.ts';
import { pem, rsa } from './key-pairs.ts';
import { accepting, rejected, secret } from './support.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const expected = /Expected: an object with `eventType`, a text, and `data`, an object\. Received: /;

/** Genuine bodies that are no event of the form that this release reads, and what the log says of them. */
const forms: readonly [what: string, body: string, words: RegExp][] = [
  ['no data', '{"eventId":"e","eventType":"NEW.KIND"}', /`eventType` is a string, `data` is missing/],
  ['null as data', '{"eventType":"NEW.KIND","data":null}', /`data` is null/],
  ['a list as data', '{"eventType":"NEW.KIND","data":[{}]}', /`data` is an array/],
  ['text as data', '{"eventType":"NEW.KIND","data":"{}"}', /`data` is a string/],
  ['a list of events', JSON.stringify([rejected]), /the body is an array/],
  [
    'an event that is wrapped',
    JSON.stringify({ event: rejected }),
    /`eventType` is missing, `data` is missing/,
  ],
  [
    'another name of the kind',
    '{"type":"NEW.KIND","data":{}}',
    /`eventType` is missing, `data` is an object/,
  ],
  ['an empty kind', '{"eventType":"","data":{}}', /`eventType` is empty/],
  ['a number as kind', '{"eventType":7,"data":{}}', /`eventType` is a number/],
  ['null', 'null', /the body is null/],
  ['a text', '"NEW.KIND"', /the body is a string/],
];

/** The statuses of a body after the receiver has verified a first delivery, and what it has logged of the body. */
async function received(
  verifier: WebhookVerifier,
  body: string,
  sign: SignWebhookOptions,
  first: SignWebhookOptions = sign,
) {
  const lines: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
  const receive = createWebhookReceiver({ verifier }).handler(accepting);
  const post = async (text: string, signing: SignWebhookOptions) => {
    const { headers } = await signWebhook(text, signing);
    return (await receive(new Request('http://r.test/', { method: 'POST', body: text, headers }))).status;
  };
  expect(await post(JSON.stringify(rejected), first)).toBe(200);
  return { status: await post(body, sign), lines };
}

// Issue 61: "what is signed and not understood gets a 5xx with a log line that says what was expected, so that the sender
// comes again after a release."
describe('a genuine body that is not understood gets 500, and the log says what was expected', () => {
  it.each(forms)('signed by HMAC: %s', async (_what, body, words) => {
    const { status, lines } = await received(standardWebhooks({ secret }), body, {
      standardWebhooks: { secret },
    });
    expect(status).toBe(500);
    expect(lines).toEqual([expect.stringMatching(words)]);
    expect(lines[0]).toMatch(expected);
    expect(lines[0]).not.toContain('not this month');
  });

  it.each([
    [
      'an approval without its transfer',
      '{"eventType":"TRANSFER.APPROVAL.PENDING","data":{}}',
      /data\.transferId/,
    ],
    ['not JSON', 'eventType=NEW.KIND', /not JSON in UTF-8\. Expected: an object/],
    ['XML', '<event/>', /not JSON in UTF-8\. Expected: an object/],
  ])('signed by HMAC, and said in other words: %s', async (_what, body, words) => {
    const { status, lines } = await received(standardWebhooks({ secret }), body, {
      standardWebhooks: { secret },
    });
    expect([status, lines]).toEqual([500, [expect.stringMatching(words)]]);
  });

  const privateKey = pem(rsa.privateKey);
  const publicKey = pem(rsa.publicKey);
  const objects = forms.filter(([, body]) => body.startsWith('{'));
  const claiming = (claims: Record<string, unknown>): SignWebhookOptions => ({
    jwtBearer: { privateKey, bodyBinding: 'none', claims },
  });
  const bound = () => jwtBearer({ publicKey, bodyBinding: 'required' });

  it.each(objects)('a token whose claims are the body: %s', async (_what, body, words) => {
    const { status, lines } = await received(bound(), body, claiming(JSON.parse(body)), claiming(rejected));
    expect([status, lines]).toEqual([500, [expect.stringMatching(words)]]);
  });

  it.each(forms.filter(([, body]) => /^[{[]/.test(body)))(
    'a token with a claim that is the body: %s',
    async (_what, body, words) => {
      const { status, lines } = await received(jwtBearer({ publicKey, bodyBinding: 'event' }), body, {
        jwtBearer: { privateKey, bodyBinding: 'event' },
      });
      expect([status, lines]).toEqual([500, [expect.stringMatching(words)]]);
    },
  );

  it('a token whose claims are the event, with a body of another form', async () => {
    for (const body of [
      JSON.stringify({ event: rejected }),
      JSON.stringify([rejected]),
      '{"eventType":"A.B"}',
    ]) {
      const { status, lines } = await received(bound(), body, claiming(rejected));
      expect([status, lines]).toEqual([500, [expect.stringContaining('the body is of another form')]]);
    }
    const forged = JSON.stringify({ ...rejected, data: { transferId: 'tr_2' } });
    expect((await received(bound(), forged, claiming(rejected))).status).toBe(401);
  });

  it('logs each such delivery with the id that it claims', async () => {
    const lines: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
    const receive = createWebhookReceiver({ verifier: async () => true }).handler(accepting);
    for (const id of ['evt_7', 'evt_8', 'evt_9']) {
      const body = JSON.stringify({ eventId: id, eventType: 'NEW.KIND' });
      expect((await receive(new Request('http://r.test/', { method: 'POST', body }))).status).toBe(500);
    }
    expect(lines).toEqual(['evt_7', 'evt_8', 'evt_9'].map((id) => expect.stringContaining(id)));
  });
});
