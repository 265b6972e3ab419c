import { type Account, accountIdOf, isPaymentsError } from 'stablecoin-payments';
import { valueAt } from '../../shared/values.ts';
import { observe, type Surroundings } from '../observed-call.ts';
import { note } from '../report.ts';
import { isOpen, isRefusal, judge, judgeWrite } from './judge.ts';

/** The text that was sent, by the field under which a record may show it. */
const sent = {
  'accountHolder.name': 'Ada Example',
  'us.accountNumber': '000123456789',
  'us.routingNumber': '021000021',
  'us.currency': 'usd',
  currency: 'usd',
};

/** Creates an account, retrieves it, deletes it, and checks that it is gone. */
export async function checkAccountWrites(around: Surroundings): Promise<void> {
  const { client, report, userId } = around;
  const made = await observe(around, 'accounts.create', async () => {
    const account = await client.accounts.create(userId, {
      rail: 'onramp',
      type: 'us',
      accountHolder: {
        type: 'individual',
        name: sent['accountHolder.name'],
        phone: '+15550100',
        email: 'ada@example.com',
        address: {
          addressLine1: '1 Example Street',
          city: 'Austin',
          stateProvinceRegion: 'TX',
          postalCode: '78701',
          country: 'USA',
        },
      },
      us: {
        transferType: 'ach',
        accountType: 'checking',
        accountNumber: sent['us.accountNumber'],
        routingNumber: sent['us.routingNumber'],
        bankName: 'Example Bank',
        currency: sent.currency,
      },
    });
    return accountIdOf(account);
  });
  if (isOpen(made.error))
    report.open.push(`account of ${sent['accountHolder.name']}: may have been created, and was not deleted`);
  const accountId = made.data;
  if (!judgeWrite(around, 'accounts.create', made) || accountId === undefined) return;
  const retrieve = () =>
    observe(around, 'accounts.retrieve', () => client.accounts.retrieve(userId, accountId));

  const retrieved = await retrieve();
  if (judge(around, 'accounts.retrieve', retrieved) && retrieved.data !== undefined) {
    checkVerdict(around, retrieved.data);
    const others = Object.entries(sent).flatMap(([path, text]) =>
      showsEnd(text, valueAt(retrieved.data, path)) ? [] : [`\`${path}\` is another one.`],
    );
    if (others.length > 0)
      note(
        report,
        'accounts.retrieve',
        'failure',
        'The retrieved record is not the account that was created.',
        others,
      );
  }

  if ((await listed(around, accountId)) === 'missing')
    note(
      report,
      'accounts.list',
      'failure',
      'An account that was just created is missing from the list, so the list does not tell whether a create whose response was lost made an account.',
    );

  const deleted = await observe(around, 'accounts.delete', () => client.accounts.delete(userId, accountId));
  const isDeleted = judgeWrite(around, 'accounts.delete', deleted);
  const kept = isDeleted ? await retrieve() : undefined;
  // Any refusal tells that the account is gone; a failure of the service tells nothing.
  if (kept?.error !== undefined && !isRefusal(kept.error)) judge(around, 'accounts.retrieve', kept);
  const statuses = [deleted.data, kept?.data].map((account) => String(account?.status).toUpperCase());
  const isListed = isDeleted && (await listed(around, accountId)) === 'active';
  const isKept = isListed || statuses.includes('ACTIVE');
  if (isKept)
    note(
      report,
      'accounts.delete',
      'failure',
      'The service says that it deleted the account, and shows it as active.',
    );
  else if (kept?.data !== undefined && !statuses.includes('INACTIVE'))
    note(
      report,
      'accounts.delete',
      'warning',
      'A deleted account is found again, and does not say INACTIVE.',
    );
  if (isKept || !isDeleted) report.open.push(`account ${accountId}: not deleted`);
}

/** A record may mask a text, and show its end: `****-6789`, `A. Example`. What it does not show is not compared. */
function showsEnd(text: string, shown: unknown): boolean {
  if (typeof shown !== 'string') return true;
  const end = shown.split(/^\d+$/.test(text) ? /\D/ : /[^\p{L}\s]|x{2,}/iu).at(-1) ?? '';
  return text.toLowerCase().endsWith(end.trim().toLowerCase());
}

/** More accounts than this are not searched. */
const most = 1000;

/** Looks for an account in the list; undefined if the list cannot be read to its end. */
async function listed(
  { client, userId }: Surroundings,
  accountId: string,
): Promise<'active' | 'inactive' | 'missing' | undefined> {
  try {
    let searched = 0;
    for await (const account of client.accounts.list(userId)) {
      if (accountIdOf(account) === accountId)
        return String(account.status).toUpperCase() === 'ACTIVE' ? 'active' : 'inactive';
      searched += 1;
      if (searched >= most) return undefined;
    }
    return 'missing';
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    return undefined;
  }
}

/** Adds a finding that tells whether a retrieved record can show that the account is active. */
export function checkVerdict({ report }: Surroundings, account: Account): void {
  const { status, isValid }: { status?: unknown; isValid?: unknown } = account;
  if (typeof status === 'string' || typeof isValid === 'boolean')
    note(report, 'accounts.retrieve', 'ok', 'The retrieved record shows whether the account is active.');
  else
    note(
      report,
      'accounts.retrieve',
      'warning',
      'The retrieved record has neither `status` nor `isValid`, so `waitUntilActive` cannot read it. Use the status that create returned, and wait for the event ACCOUNT.ONRAMP.UPDATE.',
    );
}
