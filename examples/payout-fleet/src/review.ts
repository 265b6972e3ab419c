import { userInfo } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { ReviewResult } from 'stablecoin-payments/payouts';
import { drawProgress, endedIn, tableOf, writeCsv } from './report.ts';
import { openFleet } from './settings.ts';

const USAGE = `npm run review -- <command>
  summary | watch | csv <month>                 list [month]
  paid <request id> <transfer id>               rejected | expired | seen <request id>
  again <request id> [derived]                  again-all <month> <reason> [derived] [yes]
  hold | resume [month] [employee]              cancel <month> [employee]`;

const [command = '', subject = '', detail, ...more] = process.argv.slice(2);
const { payouts, close } = await openFleet({ connections: 2 });
const by = userInfo().username;
const scope = {
  ...(subject !== '' && { month: subject }),
  ...(detail !== undefined && { employee: detail }),
};
const again = more.includes('derived') || detail === 'derived' ? 'derived' : 'same';
try {
  if (subject === '' && !['list', 'hold', 'resume'].includes(command)) throw new Error(USAGE);
  if (command === 'summary') console.log(tableOf(await payouts.summary(subject)));
  else if (command === 'csv') await writeCsv(payouts, subject, process.stdout);
  else if (command === 'watch') {
    for (let done = false; !done; await wait(1000)) {
      const summary = await payouts.summary(subject);
      drawProgress(endedIn(summary), summary.payouts);
      done = endedIn(summary) === summary.payouts;
    }
  } else if (command === 'list') {
    const rows = await payouts.review(subject === '' ? undefined : subject);
    for (const row of rows) console.log(row);
    // One option settles all payouts with the same doubt.
    const doubts = Map.groupBy(
      rows.flatMap((row) => row.doubts),
      ({ status, name, remedy }) => `${name} (HTTP ${status}): ${remedy}`,
    );
    for (const [doubt, of] of doubts) console.log(`${of.length} payouts: ${doubt}.`);
  } else if (command === 'paid' || command === 'rejected' || command === 'expired') {
    const finding: ReviewResult = { state: command, by, ...(detail !== undefined && { transferId: detail }) };
    console.log(`${await payouts.settleByHand(subject, finding)} payouts settled.`);
  } else if (command === 'seen') console.log(`${await payouts.acknowledge(subject)} notices seen.`);
  else if (command === 'again') {
    const { payouts: count, requestId } = await payouts.payAgain(subject, again);
    console.log(`${count} payouts are queued again under ${requestId}.`);
  } else if (command === 'again-all' && detail !== undefined) {
    const preview = !more.includes('yes');
    console.log(await payouts.payAgain({ month: subject, reason: detail }, again, { preview }));
    if (preview) console.log('Nothing was changed: add "yes".');
  } else if (command === 'hold') {
    const { payouts: held, unconfirmed } = await payouts.hold({ ...scope, by });
    console.log(`${held} payouts are held until you resume. ${unconfirmed} workers did not confirm.`);
  } else if (command === 'resume') {
    const { holds, payouts: resumed } = await payouts.resume(scope);
    console.log(`${holds} holds ended; ${resumed} payouts go on.`);
  } else if (command === 'cancel') console.log(await payouts.cancel({ ...scope, by }));
  else throw new Error(USAGE);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await close();
}
