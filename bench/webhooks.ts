import { evaluate, node24 } from './processes.ts';
import { ours } from './targets.ts';

/** How fast this package verifies deliveries, next to one peer on one version of Node. */
export interface WebhookSpeed {
  readonly node: string;
  readonly peer: string;
  /** The least ratio that is wanted. */
  readonly wanted: number;
  /** Verifications per second of CPU as a multiple of the peer's, one ratio for each repeat. */
  readonly ratios: readonly number[];
}

const peers = [
  { peer: 'standardwebhooks', wanted: 1 },
  { peer: 'stripe.webhooks.constructEvent', wanted: 0.6 },
] as const;

/**
 * Compares the verification of signed events, from the raw body and headers to the parsed event, on the Node that runs
 * this and on Node 24. Each repeat is a process of its own.
 */
export async function measureWebhooks(rounds: number, repeats: number): Promise<WebhookSpeed[]> {
  const speeds: WebhookSpeed[] = [];
  for (const path of new Set([process.execPath, node24()])) {
    const runs: Measured[] = [];
    for (let repeat = 0; repeat < repeats; repeat += 1) runs.push(await measureOnce(path, rounds));
    for (const { peer, wanted } of peers) {
      const ratios = runs.map((run) => run.ratios[peer] ?? Number.NaN);
      speeds.push({ node: runs[0]?.node ?? '', peer, wanted, ratios });
    }
  }
  return speeds;
}

interface Measured {
  readonly node: string;
  readonly ratios: Readonly<Record<string, number>>;
}

/** All run in one process, in interleaved rounds, of which the median counts. */
const measureOnce = (path: string, rounds: number): Promise<Measured> =>
  evaluate<Measured>(
    `
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
      ['standardwebhooks', () => peer.verify(body, standard)],
      ['${ours}, standardWebhooks', () => ourStandard.unwrap(body, standard)],
      ['stripe', () => stripe.webhooks.constructEvent(body, signature, secret)],
      ['${ours}, hmacSha256', () => ourTimestamped.unwrap(body, timestamped)],
    ];
    const samples = cases.map(() => []);
    const warmUp = 10;
    for (let round = 0; round < ${rounds} + warmUp; round += 1) {
      for (const [index, [name, verify]] of cases.entries()) {
        const count = round < warmUp ? 4000 : 2000;
        const before = process.cpuUsage();
        let last;
        for (let call = 0; call < count; call += 1) last = await verify();
        const { user, system } = process.cpuUsage(before);
        if (last.eventType !== event.eventType) throw new Error(name + ' verified another event');
        if (round >= warmUp) samples[index].push((user + system) / count);
      }
    }
    const median = (figures) => figures.sort((left, right) => left - right)[Math.floor(figures.length / 2)];
    const [peerStandard, ownStandard, peerTimestamped, ownTimestamped] = samples.map(median);
    process.stdout.write(JSON.stringify({
      node: process.versions.node,
      ratios: {
        standardwebhooks: peerStandard / ownStandard,
        'stripe.webhooks.constructEvent': peerTimestamped / ownTimestamped,
      },
    }));
  `,
    [],
    path,
  );
