import type { Dialect, DialectName } from 'stablecoin-payments/emulator';
import { resolveDialect } from '../../../emulator/settings/index.ts';
import { isRecord } from '../../../shared/values.ts';
import type { EmulatorOfService } from '../report.ts';
import type { Seen } from '../seen.ts';
import { accountIn, pageSizeOf, type Trait, traitsOf } from './traits.ts';

/** What was seen of a decision. */
interface Found<T> {
  readonly value?: T;
  /** Why the doctor does not see it, or what it does not see of it. */
  readonly notSeen?: string;
  /** A behavior of the service that no value of the decision has. */
  readonly differs?: string;
}

type Decisions = { readonly [K in Exclude<keyof Dialect, 'name'>]: Found<Dialect[K]> };

/** Returns the emulator that behaves as the service did in the checks, as far as the options of its dialect go. */
export function emulatorOf(seen: Seen): EmulatorOfService {
  const traits = traitsOf(seen);
  const base = baseOf(traits);
  const decisions: Readonly<Record<string, Found<unknown>>> = {
    extends: base === undefined ? { notSeen: 'no response told the dialects apart' } : { value: base },
    ...decisionsOf(seen, base),
  };
  const found = Object.entries(decisions);
  return {
    code: codeOf(found.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value] as const]))),
    notSeen: found.flatMap(([name, { notSeen }]) => (notSeen === undefined ? [] : `${name}: ${notSeen}`)),
    differs: [
      ...traits.flatMap((one) => differenceOf(one, base ?? 'spec')),
      ...found.flatMap(([, { differs }]) => differs ?? []),
    ],
  };
}

/** The dialect that has most of the traits; `spec` where both have as many, undefined where no trait tells them apart. */
function baseOf(traits: readonly Trait[]): DialectName | undefined {
  const telling = traits.filter(({ spec, field }) => spec !== field);
  const ofSpec = telling.filter(({ seen, spec }) => seen === spec).length;
  const ofField = telling.filter(({ seen, field }) => seen === field).length;
  if (ofSpec + ofField === 0) return undefined;
  return ofField > ofSpec ? 'field' : 'spec';
}

function differenceOf({ what, seen, ...has }: Trait, base: DialectName): string[] {
  return has[base] === seen ? [] : [`${what}: ${seen}; the emulator: ${has[base]}`];
}

function decisionsOf(seen: Seen, base: DialectName | undefined): Decisions {
  const { delivery, lists } = seen;
  return {
    ...duplicatesOf(seen),
    votesNeeded: { notSeen: 'the doctor approves nothing' },
    acceptQuotes: { notSeen: 'the doctor makes no onramps, offramps and bridges' },
    batchAmounts: { notSeen: 'the doctor makes no batches' },
    webhookScheme:
      delivery === undefined
        ? { notSeen: 'give a captured delivery with --webhook' }
        : delivery.webhookScheme === undefined
          ? {
              differs:
                'the signature of deliveries; the emulator: Standard Webhooks, or a JWT of RS256 in `Authorization`',
            }
          : { value: delivery.webhookScheme },
    eventKinds: isOtherEvent(delivery?.eventType)
      ? { value: 'all' }
      : {
          notSeen:
            'give a captured delivery of a kind that is not documented with --webhook, if there is one',
        },
    accountForm: accountFormOf(accountIn(seen)),
    pageSize: foundPageSize(lists, base),
  };
}

/** The size of a page. Where one page has all records, it is at least as large. */
function foundPageSize(lists: Seen['lists'], base: DialectName | undefined): Found<number> {
  const value = pageSizeOf(lists);
  if (value !== undefined)
    return value >= 1 && value <= 100
      ? { value }
      : { differs: `the size of a page: ${value}; the emulator: 1 to 100` };
  const notSeen = 'no list of the user has more than one page';
  const { first: least = 0 } = lists.find(({ operation }) => operation === 'externalWallets.list') ?? {};
  const { pageSize } = resolveDialect({ extends: base });
  return least <= pageSize
    ? { notSeen }
    : { value: Math.min(least, 100), notSeen: `${notSeen}; it is at least ${least}` };
}

const anotherPayment = 'the doctor sends no other payment under a `requestId` that was used';

function duplicatesOf({
  repeated,
}: Seen): Pick<Decisions, 'duplicates' | 'duplicateStatus' | 'duplicateError'> {
  if (repeated === undefined) {
    const notSeen = 'a `requestId` was not sent again: see --sandbox-writes';
    return { duplicates: { notSeen }, duplicateStatus: { notSeen }, duplicateError: { notSeen } };
  }
  if (repeated === 'replay')
    return {
      duplicates: { value: 'replay' },
      duplicateStatus: { notSeen: anotherPayment },
      duplicateError: { notSeen: anotherPayment },
    };
  const { status, name } = repeated;
  const known = ([400, 409, 422] as const).find((one) => one === status);
  return {
    duplicates: { value: 'refuse' },
    duplicateStatus:
      known === undefined
        ? { differs: `the status of a known \`requestId\`: ${status}; the emulator: 400, 409 or 422` }
        : { value: known },
    duplicateError: duplicateErrorOf(name),
  };
}

function duplicateErrorOf(name: string | undefined): Found<string> {
  // Both dialects have this name for the same payment. For another one there may be a second name.
  if (name === 'TRANSACTION_REQUEST_ALREADY_EXISTS') return { notSeen: anotherPayment };
  return name === undefined || !/^[A-Z][A-Z0-9_]{0,63}$/.test(name)
    ? { differs: 'the name of a known `requestId`; the emulator: a name in capitals' }
    : { value: name };
}

function accountFormOf(account: unknown): Found<Dialect['accountForm']> {
  if (!isRecord(account)) return { notSeen: 'the user has no account' };
  if ('isValid' in account) return { value: 'isValid' };
  if ('status' in account)
    return { value: 'accountId' in account && !('id' in account) ? 'accountId' : 'status' };
  return { differs: 'account records have neither `status` nor `isValid`' };
}

/** The kinds of events that the description of the service has. */
const documentedEvents: readonly string[] = [
  'ACCOUNT.ONRAMP.CREATE',
  'ACCOUNT.ONRAMP.UPDATE',
  'TRANSFER.APPROVAL.PENDING',
  'TRANSFER.APPROVAL.APPROVED',
  'TRANSFER.APPROVAL.REJECTED',
];

const isOtherEvent = (eventType: unknown): boolean =>
  typeof eventType === 'string' && !documentedEvents.includes(eventType);

/** Source text that makes an emulator with decisions. Their values are numbers and plain texts. */
function codeOf(decisions: readonly (readonly [name: string, value: unknown])[]): string {
  const options = decisions.map(
    ([name, value]) => `${name}: ${typeof value === 'number' ? value : `'${value}'`}`,
  );
  return `createEmulator({ dialect: ${options.length === 0 ? '{}' : `{ ${options.join(', ')} }`} })`;
}
