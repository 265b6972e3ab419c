import { openPayouts } from './payouts.ts';

const help = `npm run review -- summary [group]
npm run review -- list                                        what a person must look at, each with what to do
npm run review -- commands                                    who held, resumed, cancelled, settled or paid again
npm run review -- settle <requestId> <state> <by> [transferId]
npm run review -- again <requestId> <by>
npm run review -- hold|resume|cancel <by> <reason> [group] [id]`;

const [command, ...words] = process.argv.slice(2);
const [first = '', second = '', third = '', fourth] = words;
const { payouts, close } = await openPayouts();
const scope = { ...(third !== '' && { group: third }), ...(fourth !== undefined && { id: fourth }) };
if (command === 'summary') {
  const { lines, toReview, pauses } = await payouts.summary(first === '' ? {} : { group: first });
  console.table(lines);
  console.log(`${toReview} to review`, pauses);
} else if (command === 'list') {
  for await (const one of payouts.review()) console.log(one);
} else if (command === 'commands') {
  for await (const one of payouts.commands()) console.log(one);
} else if (command === 'settle') {
  if (second !== 'paid' && second !== 'rejected' && second !== 'expired' && second !== 'cancelled')
    throw new Error(help);
  await payouts.settle(first, {
    state: second,
    by: third,
    ...(fourth !== undefined && { transferId: fourth }),
  });
} else if (command === 'again') console.log(await payouts.payAgain(first, { by: second }));
else if (command === 'hold') console.log(await payouts.hold(scope, { by: first, reason: second }));
else if (command === 'resume') console.log(await payouts.resume(scope, { by: first }));
else if (command === 'cancel') console.log(await payouts.cancel(scope, { by: first, reason: second }));
else console.log(help);
await close();
