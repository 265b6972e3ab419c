import type { RequestRecord } from '../options.ts';
import type { EmulatorPayment } from './payments.ts';

/** How many lines of a list a failure message shows. */
const MOST_LINES = 10;

export function describePayment(payment: EmulatorPayment): string {
  const { operation, requestId, id, status, amount, currency, chain, from, to } = payment;
  const money = [amount, currency, chain === null ? null : `on ${chain}`]
    .filter((part) => part !== null)
    .join(' ');
  const path = to.length === 0 ? `from ${from}` : `from ${from} to ${to.join(', ')}`;
  return `${operation} ${money} ${path}: ${status} (id ${id}, requestId ${requestId})`;
}

export function describeRequest(request: RequestRecord): string {
  const { id, method, path, operation, status, error, fault, requestId } = request;
  const outcome = status === null ? 'no response' : String(status);
  return [
    `${id} ${method} ${path} → ${outcome}`,
    ...(error === null ? [] : [` ${error}`]),
    ...(fault === null ? [] : [` (injected fault: ${fault})`]),
    ...(operation === null ? [' (no operation of the service)'] : []),
    ...(requestId === null ? [] : [` (requestId ${requestId})`]),
  ].join('');
}

export function listOf(lines: readonly string[]): string {
  const shown = lines.slice(0, MOST_LINES).map((line) => `  ${line}`);
  const rest = lines.length - MOST_LINES;
  return [...shown, ...(rest > 0 ? [`  and ${rest} more`] : [])].join('\n');
}

/** What stands where no request carried the id: the requests that carried another one help to find a mistake. */
export function none(requests: readonly RequestRecord[]): string {
  const others = requests.filter(({ requestId }) => requestId !== null);
  if (others.length === 0) return '  none; no request carried a requestId';
  return `  none; the latest requests with another requestId are:\n${listOf(others.slice(-5).map(describeRequest))}`;
}
