import { expect, it } from 'vitest';
import { bench, offramp } from './support.ts';

const line = 'x'.repeat(35);

async function send(wireMessage: unknown) {
  const { emulator, call } = bench();
  const body = offramp(emulator.createUser({ rails: ['usd'] }).userId);
  return call('POST', '/v2/offramps', { ...body, destination: { ...body.destination, wireMessage } });
}

it.each([
  ['one text of 140 characters', 'x'.repeat(140)],
  ['four lines in a text', [line, line, line, line].join('\n')],
  ['a list of four lines', [line, line, line, line]],
])('a wire message that is %s is accepted', async (_what, wireMessage) => {
  expect((await send(wireMessage)).status).toBe(201);
});

it.each([
  ['of 141 characters in one line', 'x'.repeat(141)],
  ['of five lines in a text', [line, line, line, line, line].join('\n')],
  ['of five short lines in a text', 'a\nb\nc\nd\ne'],
  ['of five lines in a list', [line, line, line, line, line]],
  ['of a line of 36 characters in a list', [`${line}x`]],
  ['that is a number', 7],
])('a wire message %s is refused with the limits', async (_what, wireMessage) => {
  const { status, body } = await send(wireMessage);
  expect(status).toBe(400);
  expect(body.error.fields).toEqual([
    {
      field: expect.stringMatching(/^destination\.wireMessage/),
      message: 'must be at most four lines of 35 characters',
    },
  ]);
});
