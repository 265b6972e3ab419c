import { type AccountCreateParams, accountIdOf } from 'stablecoin-payments';
import { observe, type Surroundings } from '../observed-call.ts';
import { judgeWrite } from './judge.ts';

const sample: AccountCreateParams = {
  rail: 'onramp',
  type: 'us',
  accountHolder: {
    type: 'individual',
    name: 'Ada Example',
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
    accountNumber: '000123456789',
    routingNumber: '021000021',
    bankName: 'Example Bank',
    currency: 'usd',
  },
};

/** Creates an account and deletes it, also after Ctrl-C. */
export async function checkAccountWrites(around: Surroundings): Promise<void> {
  const { client, report, wire, options } = around;
  const left = 'account of Ada Example: may have been created, and was not deleted';
  report.open.push(left);
  let accountId: string | undefined;
  const made = await observe(around, 'accounts.create', async () => {
    const account = await client.accounts.create(options.userId, sample);
    accountId = accountIdOf(account);
    return account;
  });
  const outcome = made.error?.outcome ?? 'rejected';
  if (outcome === 'rejected' || outcome === 'not-sent') report.open.splice(report.open.indexOf(left), 1);
  const id = accountId;
  if (!judgeWrite(around, 'accounts.create', made) || id === undefined) return;
  wire.isClosing = true;
  const deleted = await observe(around, 'accounts.delete', () => client.accounts.delete(options.userId, id));
  wire.isClosing = false;
  if (!judgeWrite(around, 'accounts.delete', deleted)) report.open.push(`account ${id}: not deleted`);
}
