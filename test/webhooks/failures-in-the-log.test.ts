import { describe, expect, it } from 'vitest';
import { collectLog, receiving } from './logged.ts';
import { rejected, signedRequest } from './support.ts';

const lines = collectLog();

describe('a handler that throws', () => {
  const throwing = async (error: () => unknown, event: object = rejected) => {
    const handle = receiving({
      otherwise: function handleIt() {
        throw error();
      },
    });
    await handle(await signedRequest(event));
    return lines.join('\n');
  };

  it('is logged with its message, the place in its own code, the id and the kind', async () => {
    const line = await throwing(() => new RangeError('the ledger has no such column'));
    expect(lines).toHaveLength(1);
    expect(line).toContain('500 for "TRANSFER.APPROVAL.REJECTED"');
    expect(line).toContain('evt_1');
    expect(line).toContain('RangeError: the ledger has no such column');
    expect(line).toMatch(/at .*failures-in-the-log\.test\.ts:\d+:\d+/);
    expect(line).not.toMatch(/node_modules|node:internal/);
  });

  it('is logged with the message of its cause', async () => {
    const line = await throwing(() => new Error('could not save', { cause: new Error('disk is full') }));
    expect(line).toContain('could not save');
    expect(line).toContain('disk is full');
  });

  it.each([
    ['a value of the event', 'no account for tr_secret_77'],
    ['a long number', 'account 000123456789 is closed'],
    ['an e-mail address', 'unknown user jane.doe@example.com'],
    ['a token', 'fetch failed with Bearer abc.def.ghi'],
    ['an address with a password', 'connect postgres://app:hunter2@db.internal/app failed'],
  ])('shows no %s of its message', async (_what, message) => {
    const event = { ...rejected, data: { transferId: 'tr_secret_77', comment: 'x' } };
    const line = await throwing(() => new Error(message), event);
    expect(line).toContain('[redacted]');
    for (const hidden of ['tr_secret_77', '000123456789', 'jane.doe', 'abc.def', 'hunter2'])
      expect(line).not.toContain(hidden);
  });

  it('writes one line, whatever its message is', async () => {
    expect(await throwing(() => new Error('one\n  two\u001b[31m three'))).not.toMatch(/\p{Cc}/u);
    expect(await throwing(() => 'a text')).toContain('a text');
    expect(await throwing(() => undefined)).toContain('undefined');
    expect(
      await throwing(() => {
        const broken = new Error('x');
        Object.defineProperty(broken, 'message', {
          get: () => {
            throw new Error('in the getter');
          },
        });
        return broken;
      }),
    ).toContain('evt_1');
  });
});
