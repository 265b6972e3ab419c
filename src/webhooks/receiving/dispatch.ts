import { letterDistance } from '../../closed-options.ts';
import { ConfigurationError } from '../../errors/index.ts';
import type { OfframpStatus } from '../../types/offramp.ts';
import { OnrampStatus } from '../../types/onramp.ts';
import { TransferStatus } from '../../types/transfer.ts';
import { type WebhookEvent, webhookEventTypes } from '../../types/webhook-event.ts';
import type { LikelyWebhookKind } from '../../types/webhook-kinds.ts';
import type { OpenWebhookHandler, WebhookContext, WebhookHandlers } from '../types.ts';

const offrampStatuses = [
  ...Object.values(TransferStatus),
  ...(['OPEN_QUOTE', 'QUOTE_FAILED', 'CRYPTO_INITIATED', 'CRYPTO_PENDING', 'CRYPTO_FAILED'] as const),
  ...(['FIAT_INITIATED', 'FIAT_PENDING', 'FIAT_FAILED', 'FIAT_RETURNED', 'IN_REVIEW', 'EXPIRED'] as const),
] satisfies readonly OfframpStatus[];

/** The kinds that some services send, which the spec does not document. A test of types compares them with the type. */
export const likelyWebhookKinds = [
  ...(['USER.STATUS.CREATE', 'USER.STATUS.UPDATE', 'KYC.STATUS.UPDATE', 'KYC.DATA.UPDATE'] as const),
  ...(['ACCOUNT.OFFRAMP.CREATE', 'ACCOUNT.OFFRAMP.UPDATE'] as const),
  ...(['ACCOUNT.VIRTUAL_ACCOUNT.CREATE', 'ACCOUNT.VIRTUAL_ACCOUNT.UPDATE'] as const),
  ...(['WALLET.TRANSFER.CREATE', 'WALLET.TRANSFER.UPDATE', 'WALLET.TRANSFER.BATCH'] as const),
  ...(['WALLET.BRIDGE.CREATE', 'WALLET.BRIDGE.UPDATE', 'WALLET.TOKEN.BALANCE.UPDATE'] as const),
  ...(['ONRAMP.TRANSACTION.CREATED', 'OFFRAMP.TRANSACTION.CREATED'] as const),
  ...(['ONRAMP.RFI.OPEN', 'ONRAMP.RFI.CLOSED', 'OFFRAMP.RFI.OPEN', 'OFFRAMP.RFI.CLOSED'] as const),
  ...Object.values(OnrampStatus).map((status) => `ONRAMP.STATUS.${status}` as const),
  ...offrampStatuses.map((status) => `OFFRAMP.STATUS.${status}` as const),
] satisfies readonly LikelyWebhookKind[];

/** Every kind that is known: those of the spec, those that some services send, and their older names. */
export const knownKinds: readonly string[] = [
  ...webhookEventTypes,
  ...likelyWebhookKinds,
  ...['ONRAMP.CREATE', 'ONRAMP.UPDATE', 'OFFRAMP.CREATE', 'OFFRAMP.UPDATE', 'TRANSFER.APPROVAL.EXPIRED'],
];

/** The wildcards over the known kinds, such as `ONRAMP.STATUS.*`. */
const knownWildcards = (): string[] => [
  ...new Set(
    knownKinds.flatMap((kind) => {
      const parts = kind.split('.');
      return parts.slice(1).map((_part, index) => `${parts.slice(0, index + 1).join('.')}.*`);
    }),
  ),
];

/** Passes an event to its handler. */
export type Dispatch = (event: WebhookEvent, context: WebhookContext) => Promise<void>;

/** Finds the handler of a kind: its own, else the longest wildcard's, else `otherwise`, else none. */
export function dispatcher(handlers: WebhookHandlers): Dispatch {
  const own = new Map<string, OpenWebhookHandler>();
  for (const [name, handler] of Object.entries(handlers)) {
    requireName(name);
    if (handler === undefined) continue;
    if (typeof handler !== 'function')
      throw new ConfigurationError(`The handler of ${name} is not a function.`);
    own.set(name, handler);
  }
  const wildcards = [...own.keys()]
    .filter((name) => name.endsWith('*'))
    .sort((left, right) => right.length - left.length);
  const { otherwise } = handlers;

  return async (event, context) => {
    const kind: string = event.eventType;
    const wildcard = wildcards.find((name) => kind.startsWith(name.slice(0, -1)));
    const handler = reserved.has(kind) ? undefined : own.get(kind);
    await (handler ?? (wildcard === undefined ? otherwise : own.get(wildcard)))?.(event, context);
  };
}

const reserved = new Set(['otherwise', 'outOfOrder']);

/** Refuses names that can only be a mistake: their events would be dropped in silence. */
function requireName(name: string): void {
  if (reserved.has(name)) return;
  const stem = name.replace(/\.\*$/, '');
  if (name !== '*' && (stem === '' || /[*\s]/.test(stem))) {
    throw new ConfigurationError(
      `${JSON.stringify(name)} is not an event kind. A wildcard is a kind's beginning and ".*", such as "ONRAMP.*".`,
    );
  }
  const known = name.endsWith('*') ? knownWildcards() : [...knownKinds, ...reserved];
  const meant = known.includes(name) ? undefined : known.find((one) => isSlip(name, one));
  if (meant !== undefined || !/[.*]|^[^a-z]+$/.test(name)) {
    throw new ConfigurationError(
      `There is no event kind ${JSON.stringify(name)}. ` +
        (meant === undefined
          ? 'Kinds look like "ONRAMP.CREATE"; "otherwise" takes every other event.'
          : `Did you mean ${JSON.stringify(meant)}? ${name.endsWith('*') ? '"*" takes every kind' : 'A wildcard takes kinds that differ by one letter'}.`),
    );
  }
}

/**
 * Returns true if a name differs from a known one only in case, or by one letter. `USERS.*` may be a service's own word
 * for `USER.*`.
 */
const isSlip = (name: string, known: string): boolean =>
  name.toLowerCase() === known.toLowerCase() ||
  (letterDistance(name, known) === 1 && name !== known.replace('.*', 'S.*'));
