import { createInterface } from 'node:readline/promises';
import {
  approvalExpiresAt,
  isPaymentsError,
  type PaymentsClient,
  type TransferApproval,
} from 'stablecoin-payments';

/** Where the inbox is printed: a terminal, or a pipe. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/**
 * Lists the pending approvals. In a terminal it asks for a decision on each. Without a terminal (a pipe, a cron job)
 * it prints a line for each and decides nothing. Returns the number of decisions.
 */
export async function approvalsInbox(
  payments: PaymentsClient,
  { input, output }: Terminal = { input: process.stdin, output: process.stdout },
): Promise<number> {
  const say = (line: string) => void output.write(`${line}\n`);
  if (input.isTTY !== true) {
    for await (const approval of payments.approvals.list()) say(Object.values(lineOf(approval)).join('\t'));
    return 0;
  }
  const lines = createInterface({ input, output });
  const closed = new AbortController();
  lines.once('close', () => closed.abort());
  const ask = (question: string) => lines.question(question, { signal: closed.signal });
  let decided = 0;
  try {
    for await (const approval of payments.approvals.list()) {
      const { type, transferId, lapses } = lineOf(approval);
      say(`\n${type} ${transferId}, lapses ${lapses}`);
      const choice = (await ask('[a]pprove, [r]eject, [s]kip or [q]uit? ')).trim().toLowerCase();
      if (choice === 'q') break;
      if (choice !== 'a' && choice !== 'r') continue;
      const comment = (await ask('Comment: ')).trim().slice(0, 1000);
      say(await decide(payments, approval.id, choice === 'a' ? 'approve' : 'reject', comment));
      decided += 1;
    }
    if (decided === 0) say('Nothing was decided.');
  } catch (error) {
    // Ctrl-D closes the terminal during a question. Earlier decisions stand.
    if (!closed.signal.aborted) throw error;
  } finally {
    lines.close();
  }
  return decided;
}

async function decide(
  payments: PaymentsClient,
  id: string,
  decision: 'approve' | 'reject',
  comment: string,
): Promise<string> {
  try {
    const { status } = await payments.approvals[decision](id, comment === '' ? {} : { comment });
    return `→ ${status}`;
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    if (error.outcome !== 'unknown') return `✗ ${error.message}`;
    // The response was lost. An approval that left the list was decided; one that is in it may be decided any moment.
    const pending = await payments.approvals.list({ limit: 100 }).toArray();
    return pending.some((approval) => approval.id === id)
      ? '? The approval is still pending. The decision may arrive yet: list it again before you decide otherwise.'
      : '→ The response was lost, but the approval is no longer pending.';
  }
}

function lineOf(approval: TransferApproval) {
  const lapses = approvalExpiresAt(approval)?.toISOString() ?? 'at an unknown time';
  return { id: approval.id, type: approval.transferType, transferId: approval.transferId, lapses };
}
