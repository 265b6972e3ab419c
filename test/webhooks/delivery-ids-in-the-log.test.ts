import { describe, expect, it } from 'vitest';
import { jwtBearer } from '../../src/webhooks/index.ts';
import { pem, rsa } from './key-pairs.ts';
import { collectLog, receiving } from './logged.ts';
import { rejected, secret, signedRequest } from './support.ts';

const lines = collectLog();

describe('every refusal', () => {
  const forged = { standardWebhooks: { secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB', id: 'msg_77' } };

  it('is logged with the id of the delivery: of its header', async () => {
    const contexts: object[] = [];
    await receiving({ otherwise: () => {} })(await signedRequest(rejected, forged));
    expect(lines[0]).toContain('msg_77');
    const telling = receiving(
      { otherwise: () => {} },
      { onError: (_error, context) => contexts.push(context) },
    );
    await telling(await signedRequest(rejected, forged));
    expect(contexts).toEqual([expect.objectContaining({ id: 'msg_77' })]);
  });

  it('is logged with the id of the delivery: of its body, where no header has one', async () => {
    const handle = receiving(
      { otherwise: () => {} },
      { verifier: jwtBearer({ publicKey: pem(rsa.publicKey), bodyBinding: 'required' }) },
    );
    await handle(new Request('http://r.test/', { method: 'POST', body: JSON.stringify(rejected) }));
    expect(lines[0]).toContain('evt_1');
  });

  it('is logged for a signed body that is no event, too', async () => {
    const sign = { standardWebhooks: { secret, id: 'msg_78' } };
    await receiving({ otherwise: () => {} })(await signedRequest({ hello: 1 }, sign));
    expect(lines[0]).toContain('msg_78');
  });

  it('cannot write a line of its own by an id', async () => {
    const request = new Request('http://r.test/', {
      method: 'POST',
      body: JSON.stringify({ eventId: `evt\n${'x'.repeat(500)}` }),
    });
    await receiving({ otherwise: () => {} })(request);
    expect(lines[0]).not.toContain('\n');
    expect(lines[0]?.length).toBeLessThan(700);
  });
});
