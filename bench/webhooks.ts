import { evaluate } from './processes.ts';
import { ours } from './targets.ts';

/** CPU per verification of a 300-byte event, in microseconds, by library and scheme. */
export type Verifications = Readonly<Record<'standard' | 'timestamped', Readonly<Record<string, number>>>>;

/**
 * Measures the verification of a signed event, from its raw body and headers to the parsed event. All run in one
 * process, in interleaved rounds, of which the median counts.
 */
export const measureWebhooks = (rounds: number): Promise<Verifications> =>
  evaluate<Verifications>(`
    import Stripe from 'stripe';
    import { Webhook } from 'standardwebhooks';
    import { createWebhookReceiver, hmacSha256, standardWebhooks } from '../dist/webhooks.js';

    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const event = { eventId: 'evt_1', eventType: 'TRANSFER.APPROVAL.REJECTED', createdAt: '2026-01-01T00:00:00Z', data: { transferId: 'tr_1', amount: 25, comment: '' } };
    event.data.comment = 'x'.repeat(300 - JSON.stringify(event).length);
    const body = JSON.stringify(event);
    const peer = new Webhook(secret);
    const now = new Date(Math.floor(Date.now() / 1000) * 1000);
    const standard = {
      'content-type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(now.getTime() / 1000),
      'webhook-signature': peer.sign('msg_1', now, body),
    };
    const stripe = new Stripe('sk_test');
    const signature = stripe.webhooks.generateTestHeaderString({ payload: body, secret });
    const header = 'x-signature';
    const timestamped = { 'content-type': 'application/json', [header]: signature };
    const ourStandard = createWebhookReceiver({ verifier: standardWebhooks({ secret }) });
    const ourTimestamped = createWebhookReceiver({ verifier: hmacSha256({ secret, header, format: 't=,v1=' }) });
    const cases = [
      ['standard', 'standardwebhooks', () => peer.verify(body, standard)],
      ['standard', '${ours}', () => ourStandard.unwrap(body, standard)],
      ['timestamped', 'stripe.webhooks.constructEvent', () => stripe.webhooks.constructEvent(body, signature, secret)],
      ['timestamped', '${ours}', () => ourTimestamped.unwrap(body, timestamped)],
    ];
    const samples = cases.map(() => []);
    const warmUp = 10;
    for (let round = 0; round < ${rounds} + warmUp; round += 1) {
      for (const [index, [, name, verify]] of cases.entries()) {
        const count = round < warmUp ? 4000 : 2000;
        const before = process.cpuUsage();
        let last;
        for (let call = 0; call < count; call += 1) last = await verify();
        const { user, system } = process.cpuUsage(before);
        if (last.eventType !== event.eventType) throw new Error(name + ' verified another event');
        if (round >= warmUp) samples[index].push((user + system) / count);
      }
    }
    const results = { standard: {}, timestamped: {} };
    for (const [index, [scheme, name]] of cases.entries()) {
      results[scheme][name] = samples[index].sort((left, right) => left - right)[Math.floor(${rounds} / 2)];
    }
    process.stdout.write(JSON.stringify(results));
  `);
