import { userInfo } from 'node:os';
import type { Finding } from 'stablecoin-payments/payouts';
import { tableOf } from './report.ts';
import { openFleet } from './settings.ts';

const USAGE = `npm run review -- summary <month>
npm run review -- list <month>
npm run review -- paid <request id> <transfer id>
npm run review -- rejected <request id>
npm run review -- expired <request id>
npm run review -- seen <request id>
npm run review -- again <request id> [derived]`;

/** Where a payroll stands, and what a person does about payouts that need one. */
const [command, subject = '', detail] = process.argv.slice(2);
const { payouts, close } = await openFleet({ connections: 2 });
const by = userInfo().username;
try {
  if (subject === '') throw new Error(USAGE);
  if (command === 'summary') console.log(tableOf(await payouts.summary(subject)));
  else if (command === 'list') {
    for (const row of await payouts.review(subject)) console.log(row);
  } else if (command === 'paid' || command === 'rejected' || command === 'expired') {
    const finding: Finding = { state: command, by, ...(detail !== undefined && { transferId: detail }) };
    console.log(`${await payouts.settleByHand(subject, finding)} payouts settled.`);
  } else if (command === 'seen') console.log(`${await payouts.acknowledge(subject)} notices seen.`);
  else if (command === 'again') {
    const again = await payouts.payAgain(subject, detail === 'derived' ? 'derived' : 'same');
    console.log(`${again.payouts} payouts are queued again under ${again.requestId}.`);
  } else throw new Error(USAGE);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await close();
}
