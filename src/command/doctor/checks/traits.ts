import type { DialectName } from 'stablecoin-payments/emulator';
import { isRecord, valueAt } from '../../../shared/values.ts';
import { safeName } from '../report.ts';
import type { Sample, Seen } from '../seen.ts';
import { timesIn } from './times.ts';

/** Something that the doctor saw, and what each dialect of the emulator has there. No value of a record. */
export interface Trait extends Readonly<Record<DialectName, string>> {
  readonly what: string;
  readonly seen: string;
}

const trait = (what: string, seen: string | undefined, spec: string, field = spec): Trait[] =>
  seen === undefined ? [] : [{ what, seen, spec, field }];

/** Returns what the checks saw of the service that no single decision of a dialect sets. */
export function traitsOf(seen: Seen): Trait[] {
  const all = [
    ...listTraits(seen),
    ...cursorTraits(seen),
    ...errorTraits(seen),
    ...timeTraits(seen),
    ...approvalTraits(seen),
    ...transferTraits(seen),
    ...accountTraits(seen),
  ];
  return all.filter(
    (one, place) =>
      all.findIndex(({ what, seen: value }) => what === one.what && value === one.seen) === place,
  );
}

/** The first response of an operation that succeeded. */
const sampleOf = ({ samples }: Seen, what: string): Sample | undefined =>
  samples.find((sample) => sample.what === what && sample.status < 300);

/** The items of a list, and the name of its field. */
function listIn(body: unknown): { readonly key: string; readonly items: readonly unknown[] } | undefined {
  if (Array.isArray(body)) return { key: 'no field', items: body };
  const found = isRecord(body) ? Object.entries(body).find(([, value]) => Array.isArray(value)) : undefined;
  return found === undefined || !Array.isArray(found[1])
    ? undefined
    : { key: `\`${safeName(found[0])}\``, items: found[1] };
}

function listTraits(seen: Seen): Trait[] {
  const keyOf = (what: string) => {
    const sample = sampleOf(seen, what);
    return sample && (listIn(sample.body)?.key ?? 'not at the top');
  };
  return [
    ...trait('the field with the accounts', keyOf('accounts.list'), '`accounts`', '`banks`'),
    ...trait('the field with the external wallets', keyOf('externalWallets.list'), '`externalWallets`'),
    ...trait('the field with the approvals', keyOf('approvals.list'), '`approvals`'),
  ];
}

function cursorTraits({ lists, cursors }: Seen): Trait[] {
  const pageSize = pageSizeOf(lists) ?? 100;
  const ofLists = lists.flatMap(({ operation, first, isAll, hasLastCursor }) => {
    const form = isAll ? (first > pageSize ? 'at once' : undefined) : 'in pages';
    const last = hasLastCursor === undefined ? undefined : hasLastCursor ? 'a text' : 'null';
    return [
      ...trait('the cursor of the last page', last, 'null', 'a text'),
      ...(operation === 'accounts.list'
        ? trait('the accounts without a `limit`', form, 'at once', 'in pages')
        : trait('the external wallets without a `limit`', form, 'in pages')),
    ];
  });
  const names = cursors.flatMap((works) =>
    trait(
      'the parameter that takes a cursor',
      works.map((name) => `\`${name}\``).join(' or '),
      '`createdBefore` or `cursor`',
      '`createdBefore`',
    ),
  );
  return [...ofLists, ...names];
}

/** The size of a page without a `limit`: that of a list with more than one page. */
export const pageSizeOf = (lists: Seen['lists']): number | undefined =>
  lists.find(({ isAll }) => !isAll)?.first;

const numbered = '`{ code, error, errorDetails }`';
const nested = '`{ status, error: { code, message } }`';

function errorTraits({ samples }: Seen): Trait[] {
  return samples.flatMap(({ what, status, body }) => {
    const statusTrait =
      what === 'a user that does not exist'
        ? trait('the status of a user that does not exist', String(status), '404')
        : what === 'a limit of 101'
          ? trait('the status of a `limit` of 101', String(status), '400')
          : [];
    if (status < 400 || status === 429 || !isRecord(body)) return statusTrait;
    const shape = isRecord(body.error)
      ? nested
      : typeof body.error === 'string' && 'code' in body
        ? numbered
        : 'another one';
    const isNumbered = status === 401 || status >= 500;
    return [
      ...statusTrait,
      ...trait(
        `the shape of HTTP ${status}`,
        shape,
        isNumbered ? numbered : nested,
        status === 404 ? nested : numbered,
      ),
    ];
  });
}

function timeTraits({ samples }: Seen): Trait[] {
  const texts = samples.filter(({ status }) => status < 300).flatMap(({ body }) => timesIn(body));
  return texts.flatMap(([, text]) => {
    const [, fraction = '', zone = ''] =
      /^[\d-]{10}[T ][\d:]{5,8}(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/i.exec(text) ?? [];
    const form = `${fraction.length} decimals and ${zone === '' ? 'no zone' : zone}`;
    return trait('the form of times', form, '3 decimals and Z', '6 decimals and +00:00');
  });
}

function approvalTraits(seen: Seen): Trait[] {
  const all = listIn(sampleOf(seen, 'approvals.list')?.body)?.items ?? [];
  const one = sampleOf(seen, 'one approval')?.body;
  const count = Number(valueAt(one, 'count'));
  if (listIn(one)?.items.length !== 1 || Math.max(all.length, count) < 2) return [];
  const counted = count > 1 ? 'of all' : 'of the page';
  return trait('the `count` of the approvals', counted, 'of all', 'of the page');
}

function transferTraits(seen: Seen): Trait[] {
  const [sample, again] = seen.samples.filter(
    ({ what, status }) => what === 'transfers.create' && status < 300,
  );
  if (sample === undefined) return [];
  const sameStatus = 'as the first time';
  const statusAgain = again && (again.status === sample.status ? sameStatus : String(again.status));
  const details = valueAt(sample.body, 'transferDetails');
  const place = isRecord(valueAt(details, 'receipt.approval'))
    ? '`receipt`'
    : isRecord(valueAt(details, 'approval'))
      ? '`transferDetails`'
      : 'neither';
  const chain = valueAt(details, 'chain');
  const form =
    chain === 'POLYGON' ? 'as sent' : chain === 'POLYGON_MAINNET' ? 'with _MAINNET' : 'another one';
  return [
    ...trait('the status of a new transfer', String(sample.status), '201', '200'),
    ...trait('the status of a transfer that is sent again', statusAgain, sameStatus),
    ...trait('the place of an approval', place, '`receipt`', '`transferDetails`'),
    ...trait('the form of chains', form, 'as sent', 'with _MAINNET'),
  ];
}

function accountTraits(seen: Seen): Trait[] {
  const rail = valueAt(accountIn(seen), 'rail');
  const form = typeof rail === 'string' ? 'a text' : isRecord(rail) ? 'an object' : undefined;
  const deleted = sampleOf(seen, 'accounts.delete')?.body;
  const isRecordOf = valueAt(deleted, 'status') === 'INACTIVE' ? 'the record' : 'a message';
  const created = sampleOf(seen, 'accounts.create');
  return [
    ...trait('the `rail` of an account', form, 'a text', 'an object'),
    ...trait(
      'the response to a deletion',
      isRecord(deleted) ? isRecordOf : undefined,
      'a message',
      'the record',
    ),
    ...trait('the status of a new account', created && String(created.status), '201', '200'),
  ];
}

/** An account record: one of the user, else the one that was made and deleted, where its deletion returns it. */
export function accountIn(seen: Seen): unknown {
  const own =
    sampleOf(seen, 'accounts.retrieve')?.body ?? listIn(sampleOf(seen, 'accounts.list')?.body)?.items[0];
  const deleted = sampleOf(seen, 'accounts.delete')?.body;
  return own ?? (isRecord(deleted) && 'rail' in deleted ? deleted : undefined);
}
