import { expect, it } from 'vitest';
import { bench, transfer } from './support.ts';

const line = 'x'.repeat(35);

async function offramp(destination: object) {
  const { emulator, call } = bench();
  const { userId } = emulator.createUser({ rails: ['usd'] });
  return call('POST', '/v2/offramps', transfer(userId, { destination }));
}

it.each([
  ['one text of 140 characters', 'x'.repeat(140)],
  ['four lines in a text', [line, line, line, line].join('\n')],
  ['a list of four lines', [line, line, line, line]],
])('a wire message that is %s is accepted', async (_what, wireMessage) => {
  const { status, body } = await offramp({ wireMessage });
  // No bank account is named, and that is all that is wrong.
  expect(body.error?.fields?.map(({ field }: { field: string }) => field) ?? []).not.toContain(
    'destination.wireMessage',
  );
  expect(status).toBeLessThan(500);
});

it.each([
  ['of 141 characters in one line', 'x'.repeat(141)],
  ['of five lines in a text', [line, line, line, line, line].join('\n')],
  ['of five short lines in a text', 'a\nb\nc\nd\ne'],
  ['of five lines in a list', [line, line, line, line, line]],
  ['of a line of 36 characters in a list', [`${line}x`]],
  ['that is a number', 7],
])('a wire message %s is refused with the limits', async (_what, wireMessage) => {
  const { status, body } = await offramp({ wireMessage });
  expect(status).toBe(400);
  expect(body.error.fields).toEqual([
    {
      field: expect.stringMatching(/^destination\.wireMessage/),
      message: 'must be at most four lines of 35 characters',
    },
  ]);
});
