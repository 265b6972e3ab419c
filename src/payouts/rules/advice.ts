import { REASONS } from './reasons.ts';

const ASK = 'Ask the service about the requestId';

const ADVICE: Readonly<Record<string, string>> = {
  [REASONS.retries]: `Find the cause of the failures. ${ASK} after the quiet time, then settle it.`,
  [REASONS.refusedInDoubt]: `A lookup settles it. Without one: ${ASK.toLowerCase()} after the quiet time, then settle it.`,
  [REASONS.lifetime]: `The service may have forgotten the key. ${ASK} and look at the payee's account, then settle it.`,
  [REASONS.cancelledInDoubt]: `A lookup settles it. Without one: ${ASK.toLowerCase()} after the quiet time, then settle it.`,
  [REASONS.keyKnownAfterRefusal]: `The service knows the key, perhaps only because it refused it. ${ASK}, then settle it.`,
  [REASONS.notFound]: `The service had it, and a lookup found nothing. ${ASK}, then settle it.`,
  [REASONS.otherRecord]: `The service showed the record of another payment; the notice names the fields. ${ASK}, then settle it.`,
  [REASONS.otherTransfer]:
    'Its transfer settles another payment already; the notice names it. Ask the service which transfer is its own, then settle it.',
  [REASONS.twoTransfers]:
    'The service shows two transfers under one key. Ask the service which one moved money, then settle it.',
  [REASONS.endNotHeard]: `No event and no lookup told how it ended. ${ASK}, then settle it.`,
  [REASONS.decisionNotHeard]:
    'Ask the approvers and the service what became of the approval, then settle it.',
  [REASONS.batchMayBePaid]:
    'A batch that was refused and split shows a transfer after all. Ask the service whether it moved money, then settle each half.',
  [REASONS.roundMayBePaid]:
    'Another round of the payout moved money, or may move it; the notice names its payment. Ask the service about both requestIds, then settle it. If nobody was paid, pay by an order with other names.',
  [REASONS.wentBack]:
    'The database went back, and nothing shows what became of it. Ask the service about the requestId and all that follow from it. Unpaid is said of all of them: if another of them has a transfer, give its record by `message` first. Then settle it.',
  RECIPIENT_NOT_PAID:
    'Pay this recipient by an order of its own, once the service confirms that it was not paid. Then settle the payment with its own state.',
  RECIPIENT_NOT_ENDED:
    'The batch ended and this recipient did not. Ask the service. Then settle the payment with its own state.',
  RECIPIENT_UNCLEAR:
    'The record does not tell this recipient from another. Ask the service. Then settle the payment with its own state.',
  CONTRADICTION:
    'Evidence contradicts the state. Ask the service before you pay again. Then settle the payment with its own state.',
  TRANSFER_AFTER_REJECTION:
    'The service refused this payment and shows a transfer of it. Ask the service before anything else is paid.',
  MESSAGE_NOT_HEARD:
    'A message names no payment of this payout. Check its sender. Then settle the payment with its own state.',
  MESSAGE_NOT_READABLE:
    'A message has no known form. Check its sender. Then settle the payment with its own state.',
  PERSON_NOT_HEARD: 'A decision was refused; the notice says why.',
};

/** Returns what a person does about a payment or a notice. A refusal names the option that may settle payments like it. */
export function whatToDoAbout(code: string, refusal: string | null = null): string {
  const advice = ADVICE[code] ?? `${ASK}, then settle it.`;
  return refusal === null
    ? advice
    : `${advice} The service refused it as ${refusal}: add the name to refusals.sure of the client only if such a refusal makes nothing.`;
}
