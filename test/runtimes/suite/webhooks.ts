import {
  createWebhookReceiver,
  hmacSha256,
  jwtBearer,
  memoryDedupe,
  type SignWebhookOptions,
  signWebhook,
  standardWebhooks,
  type WebhookReceiverOptions,
  type WebhookVerifier,
} from 'stablecoin-payments/webhooks';
import { type Case, equal, failsWith } from './check.ts';

interface Scheme {
  name: string;
  sign: SignWebhookOptions;
  verifier: WebhookVerifier;
}

const event = {
  eventId: 'evt-1',
  eventType: 'TRANSFER.APPROVAL.REJECTED',
  data: { transferId: 'tr-1', amount: 25, comment: 'zu teuer, 東京 🦓' },
};
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const symmetric: readonly Scheme[] = [
  {
    name: 'Standard Webhooks',
    sign: { standardWebhooks: { secret } },
    verifier: standardWebhooks({ secret }),
  },
  {
    name: 'HMAC of the body',
    sign: { hmacSha256: { secret: 'shared', header: 'x-signature' } },
    verifier: hmacSha256({ secret: 'shared', header: 'x-signature' }),
  },
  {
    name: 'HMAC with t=,v1=',
    sign: { hmacSha256: { secret: 'shared', header: 'x-signature', format: 't=,v1=' } },
    verifier: hmacSha256({ secret: 'shared', header: 'x-signature', format: 't=,v1=' }),
  },
];

const rsa = (name: string) => ({
  name,
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
});
const keyKinds = {
  'RSA-SHA256': rsa('RSASSA-PKCS1-v1_5'),
  ECDSA: { name: 'ECDSA', namedCurve: 'P-256' },
  Ed25519: { name: 'Ed25519' },
} as const;

/** Makes a key pair, as keys and in PEM. */
async function keyPair(kind: keyof typeof keyKinds) {
  const pair = await crypto.subtle.generateKey(keyKinds[kind], true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error(`${kind}: no key pair was made`);
  return {
    pair,
    privatePem: pem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', pair.privateKey)),
    publicPem: pem('PUBLIC KEY', await crypto.subtle.exportKey('spki', pair.publicKey)),
    publicJwk: await crypto.subtle.exportKey('jwk', pair.publicKey),
  };
}

function pem(label: string, der: ArrayBuffer): string {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(der)));
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

const receiverOf = (verifier: WebhookVerifier, more: Partial<WebhookReceiverOptions> = {}) =>
  createWebhookReceiver({ verifier, onError: () => {}, ...more });

/** A good delivery is read; one that was changed, is unsigned, late or signed by another is refused. */
async function holdsUp({ name, sign, verifier }: Scheme): Promise<void> {
  const receiver = receiverOf(verifier);
  const { body, headers } = await signWebhook(event, sign);
  equal(await receiver.unwrap(body, headers), event, `${name}: the event`);
  const changed = body.replace('25', '26');
  await failsWith(receiver.unwrap(changed, headers), 'WebhookVerificationError', 'not-sent');
  await failsWith(receiver.unwrap(body, {}), 'WebhookVerificationError', 'not-sent');
}

/** Deliveries, verified with the Web Crypto of the platform. */
export const webhooks: readonly Case<unknown>[] = [
  ...symmetric.map((scheme) => ({
    title: `verifies ${scheme.name}, and refuses what was changed or is unsigned`,
    run: () => holdsUp(scheme),
  })),
  ...(
    [
      ['RS256', 'RSA-SHA256'],
      ['ES256', 'ECDSA'],
      ['EdDSA', 'Ed25519'],
    ] as const
  ).map(([algorithm, kind]) => ({
    title: `verifies a JWT signed with ${algorithm}, by a PEM and by a key set, and holds it to the body`,
    run: async () => {
      const { privatePem, publicPem, publicJwk } = await keyPair(kind);
      const sign = { jwtBearer: { privateKey: privatePem, algorithm, keyId: 'key-1' } };
      const jwks = { keys: [{ ...publicJwk, kid: 'key-1', alg: algorithm, use: 'sig' }] };
      for (const keys of [{ publicKey: publicPem }, { jwks }]) {
        const verifier = jwtBearer({ ...keys, algorithms: [algorithm], bodyBinding: 'required' });
        await holdsUp({ name: algorithm, sign, verifier });
      }
    },
  })),
  {
    title: 'answers Requests: 200 once handled, no second handling, 401 unsigned, 405 otherwise',
    run: async () => {
      const handled: string[] = [];
      const handle = receiverOf(standardWebhooks({ secret }), { dedupe: memoryDedupe() }).handler({
        'TRANSFER.APPROVAL.REJECTED': ({ data }) => void handled.push(data.comment ?? ''),
      });
      const { body, headers } = await signWebhook(event, { standardWebhooks: { secret } });
      const post = (sent: Record<string, string>) =>
        handle(new Request('http://localhost/webhooks', { method: 'POST', body, headers: sent }));
      const answers = [await post(headers), await post(headers), await post({})];
      equal(
        answers.map(({ status }) => status),
        [200, 200, 401],
        'statuses',
      );
      equal(handled, [event.data.comment], 'what was handled');
      equal((await handle(new Request('http://localhost/webhooks'))).status, 405, 'a GET');
    },
  },
];
