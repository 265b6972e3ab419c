import { describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../src/client/index.ts';
import { clientOf, failure, scripted } from '../client/support.ts';
import { type Changing, changing, stepOf } from './calls.ts';
import { type Example, table } from './table.ts';

/** Three attempts without waits. */
const patient: ClientOptions = { retries: { limit: 2, minDelay: 0, maxDelay: 0 } };

/** Statuses after which a call that may be repeated is repeated. */
const ambiguous = [425, 429, 500, 502, 503, 504];

/** How often an example is sent, by the section *Retry safety* of the design. */
function attemptsOf(row: number, outcome: string, example: Example, operation: Changing): number {
  const { status, said } = example;
  const isSuccess = status >= 200 && status <= 299;
  // "Never repeated: a mismatch, a known key, a named refusal."
  if (row === 4 || row === 9 || (row === 3 && said === 'known')) return 1;
  if (outcome === 'rejected') return status === 429 ? 3 : 1;
  if (outcome === 'succeeded' || !operation.isRepeatable) return 1;
  return isSuccess || ambiguous.includes(status) ? 3 : 1;
}

function classOf(row: number, { status, isCut }: Example, { isKeyed }: Changing): string | undefined {
  const isSuccess = status >= 200 && status <= 299;
  if (row === 2) return isSuccess && isCut === true ? 'ConnectionError' : undefined;
  if (row === 4 && isKeyed) return 'ConflictError';
  if (row === 8 || row === 11) return 'ResponseValidationError';
  return row === 9 ? 'ResponseMismatchError' : undefined;
}

describe.each(table.filter(({ examples }) => examples.length > 0))(
  'row $row',
  ({ row, examples, ...told }) => {
    it.each(examples)('$status $body $text $isCut', async (example) => {
      const outcome = example.outcome ?? told.outcome ?? 'unknown';
      const { said } = example;
      for (const operation of changing.filter(({ kind }) => example.of?.includes(kind) ?? true))
        for (const responseValidation of ['tolerant', 'strict'] as const) {
          const fetch = scripted(stepOf(example));
          // A client of its own for each call: the entries of a key live in the client.
          const client = clientOf(fetch, {
            ...patient,
            responseValidation,
            ...(said !== undefined && { refusals: () => said as 'rejected' }),
          });
          const why = `${operation.name} ${responseValidation}`;
          const attempts = attemptsOf(row, outcome, example, operation);
          if (outcome === 'succeeded') {
            const ended = await operation.call(client).then(
              () => undefined,
              (error: unknown) => error,
            );
            // A departure of a proven response is told as one.
            if (ended !== undefined) expect(ended, why).toMatchObject({ outcome, attempts: 1 });
          } else {
            const error = await failure(operation.call(client));
            expect(error, why).toMatchObject({ outcome, attempts });
            const name = classOf(row, example, operation);
            if (name !== undefined) expect(error.name, why).toBe(name);
            const isKnown = row === 4 || (row === 3 && said === 'known');
            expect(error.code === 'request_id_known', why).toBe(isKnown && operation.isKeyed);
          }
          expect(fetch.seen, why).toHaveLength(attempts);
          expect(new Set(fetch.seen.map(({ body }) => body)).size, why).toBe(1);
        }
    });
  },
);

describe('`Retry-After` says when to try again, never what was proved', () => {
  it.each([503, 425, 500, 502, 504, 408, 400])(
    '%i with Retry-After is as unknown as without',
    async (status) => {
      for (const operation of changing) {
        const fetch = scripted(() => new Response('', { status, headers: { 'retry-after': '0' } }));
        const error = await failure(operation.call(clientOf(fetch, patient)));
        const isAmbiguous = status !== 400 && status !== 408;
        const attempts = operation.isRepeatable && isAmbiguous ? 3 : 1;
        expect(error, operation.name).toMatchObject({ outcome: 'unknown', attempts, retryAfter: 0 });
        expect(fetch.seen).toHaveLength(attempts);
      }
    },
  );

  it('so `approve` behind a gateway that responds with 503 with Retry-After is sent once', async () => {
    let decided = 0;
    const client = clientOf(async () => {
      decided += 1;
      return new Response('<html>Service Unavailable</html>', {
        status: 503,
        headers: { 'retry-after': '0' },
      });
    }, patient);
    expect(await failure(client.approvals.approve('ap1'))).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(decided).toBe(1);
  });

  it('a date is read against the Date of the response', async () => {
    const headers = { date: 'Fri, 20 Nov 2020 10:00:00 GMT', 'retry-after': 'Fri, 20 Nov 2020 10:02:00 GMT' };
    const client = clientOf(scripted(() => new Response('', { status: 429, headers })));
    for (const operation of changing)
      expect(await failure(operation.call(client))).toMatchObject({ retryAfter: 120, attempts: 1 });
  });
});

describe('a read', () => {
  const reading = (response: () => Response, options: ClientOptions = {}) => {
    const fetch = scripted(response);
    return failure(clientOf(fetch, { ...patient, ...options }).kyc.retrieve('u1'));
  };

  it.each([400, 401, 403, 404, 405, 408, 409, 413, 422, 425, 429, 501])(
    'is rejected by %i',
    async (status) => {
      for (const body of ['', '<html>', '{"error":"RESOURCE_CONFLICT"}', '{"message":"already"}']) {
        const error = await reading(() => new Response(body, { status }), { refusals: () => 'unknown' });
        expect(error).toMatchObject({
          outcome: 'rejected',
          attempts: status === 425 || status === 429 ? 3 : 1,
        });
        expect(error.message).not.toMatch(/payment|requestId|refusals/);
      }
    },
  );

  it.each([500, 502, 503, 504, 505, 520, 302])('is unknown after %i', async (status) => {
    const error = await reading(() => new Response('', { status }));
    expect(error.outcome).toBe('unknown');
    expect(error.attempts).toBe([500, 502, 503, 504].includes(status) ? 3 : 1);
    expect(error.message).not.toMatch(/payment|requestId/);
  });

  it('has come to its last attempt', async () => {
    const responses = [
      new Response('', { status: 502 }),
      Response.json({ error: 'USER_NOT_FOUND' }, { status: 404 }),
    ];
    const client = clientOf(async () => responses.shift() ?? new Response(), patient);
    expect(await failure(client.kyc.retrieve('u1'))).toMatchObject({ outcome: 'rejected', attempts: 2 });
  });

  it('changes nothing by a token that fails afterwards', async () => {
    let tokens = 0;
    const accessToken = () => {
      tokens += 1;
      if (tokens > 1) throw new Error('vault is down');
      return 't';
    };
    const client = clientOf(
      scripted(() => Response.json({ error: 'UNAUTHORIZED' }, { status: 401 })),
      {
        ...patient,
        accessToken,
      },
    );
    expect(await failure(client.kyc.retrieve('u1'))).toMatchObject({ outcome: 'rejected' });
  });

  it('that shows none of its essential fields is asked for again; one that lacks a field is told', async () => {
    const record = { userId: 'u1', kycInfo: { type: 'individual' } };
    for (const nothing of [
      new Response(''),
      new Response('<html>'),
      Response.json({ success: false }),
      Response.json({}),
    ]) {
      const responses = [nothing, Response.json(record)];
      const client = clientOf(async () => responses.shift() ?? new Response(), patient);
      expect(await client.kyc.retrieve('u1')).toEqual(record);
    }
    const half = await reading(() => Response.json({ userId: 'u1' }));
    expect(half).toMatchObject({ name: 'ResponseValidationError', outcome: 'succeeded', attempts: 1 });
  });
});
