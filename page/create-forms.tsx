import { useState } from 'preact/hooks';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { send, textAt } from './api.ts';
import { short } from './format.ts';
import { Card, Field, Form, Select } from './parts.tsx';

/** Forms that send the requests of an integration, with the same checks and faults. */
export function CreateForms({ view }: { view: EmulatorView }) {
  const user = view.latestUserId ?? '';
  return (
    <>
      <UserForm />
      <AccountForm user={user} />
      <OnrampForm user={user} />
      <TransferForm user={user} />
    </>
  );
}

const text = (data: FormData, name: string): string => String(data.get(name) ?? '').trim();

function UserForm() {
  return (
    <Card id="user-card" title="Create a user">
      <div class="inside">
        <Form
          button="Create a user"
          command={async (data) => {
            const rails = ['usd', 'africa'].filter((rail) => data.get(rail) === 'on');
            const result = await send('POST', '/users', {
              rails,
              externalWallets: Number(text(data, 'wallets')),
              ...(text(data, 'name') === '' ? {} : { kyc: { firstName: text(data, 'name') } }),
            });
            return `Created user ${textAt(result, 'userId')}`;
          }}
        >
          <fieldset>
            <legend>Active rails</legend>
            {['usd', 'africa'].map((rail) => (
              <label key={rail} class="check">
                <input type="checkbox" name={rail} defaultChecked /> {rail}
              </label>
            ))}
          </fieldset>
          <Field name="name" label="First name (optional)" />
          <Field name="wallets" label="External wallets" type="number" min={0} max={100} value={3} required />
        </Form>
      </div>
    </Card>
  );
}

function AccountForm({ user }: { user: string }) {
  const [type, setType] = useState('africa');
  return (
    <Card id="account-card" title="Create an account">
      <div class="inside">
        <Form
          button="Create an account"
          command={async (data) => {
            const address = {
              addressLine1: '1 Example Road',
              city: 'Kampala',
              stateProvinceRegion: 'Central',
            };
            const accountHolder = {
              type: 'individual',
              name: text(data, 'holder'),
              phone: '+256700000000',
              email: 'holder@example.com',
              address: { ...address, postalCode: '10101', country: 'UGA' },
            };
            const number = { accountNumber: text(data, 'number') };
            const us = {
              transferType: 'ach',
              accountType: 'checking',
              routingNumber: '021000021',
              bankName: 'A Bank',
            };
            const africa = { financialInstitute: text(data, 'bank'), accountType: text(data, 'kind') };
            const place = { currency: text(data, 'currency'), country: text(data, 'country') };
            const part =
              type === 'us'
                ? { us: { ...us, ...number, currency: 'usd' } }
                : { africa: { ...africa, ...number, ...place } };
            const result = await send(
              'POST',
              `/v2/users/${encodeURIComponent(text(data, 'user'))}/accounts`,
              {
                ...{ rail: 'onramp', type, accountHolder, ...part },
              },
            );
            return `Created account ${short(textAt(result, 'id') || textAt(result, 'accountId'))}`;
          }}
        >
          <Field key={`account-${user}`} name="user" label="User id" value={user} required />
          <Select name="type" label="Region" options={['africa', 'us']} value={type} onChange={setType} />
          <Field name="holder" label="Holder" value="Jane Doe" required />
          <Field name="number" label="Account number" value="0700000000" required />
          {type === 'us' ? null : (
            <>
              <Field name="bank" label="Bank or operator" value="MTN" required />
              <Select name="kind" label="Kind" options={['momo', 'bank']} />
              <Field name="currency" label="Currency" value="ugx" required />
              <Field name="country" label="Country" value="uga" required />
            </>
          )}
        </Form>
      </div>
    </Card>
  );
}

function OnrampForm({ user }: { user: string }) {
  return (
    <Card id="onramp-card" title="Create an onramp">
      <div class="inside">
        <Form
          button="Create an onramp"
          command={async (data) => {
            const account = text(data, 'account');
            const userId = text(data, 'user');
            const result = await send('POST', '/v2/onramps', {
              requestId: crypto.randomUUID(),
              ...(account === '' ? {} : { purposeOfPayment: 'other' }),
              source: {
                userId,
                currency: text(data, 'currency'),
                amount: Number(text(data, 'amount')),
                ...(account === '' ? { transferType: text(data, 'rail') } : { accountId: account }),
              },
              destination: { userId, currency: 'usdc', chain: text(data, 'chain') },
            });
            return `Created onramp ${short(textAt(result, 'transferDetails.id'))}`;
          }}
        >
          <Field key={`onramp-${user}`} name="user" label="User id" value={user} required />
          <Field name="amount" label="Amount" type="number" step="any" min={0} value={100} required />
          <Field name="currency" label="Currency" value="usd" required />
          <Select name="rail" label="Transfer type" options={['ach', 'wire']} />
          <Select name="chain" label="Chain" options={CHAINS} />
          <Field name="account" label="Account id (optional)" />
        </Form>
      </div>
    </Card>
  );
}

const CHAINS = ['POLYGON', 'ETHEREUM', 'SOLANA', 'BASE', 'OPTIMISM', 'ARBITRUM'];

const PATHS: Record<string, string> = {
  transfer: '/v2/wallets/transfers',
  batch: '/v2/wallets/transfers/batches',
  bridge: '/v2/wallets/bridges',
  offramp: '/v2/offramps',
};

function TransferForm({ user }: { user: string }) {
  return (
    <Card id="transfer-card" title="Create a transfer">
      <div class="inside">
        <Form
          button="Create a transfer"
          command={async (data) => {
            const kind = text(data, 'kind');
            const result = await send('POST', PATHS[kind] ?? '', bodyOf(kind, data));
            return `Created transfer ${short(textAt(result, 'transferDetails.id'))}`;
          }}
        >
          <Select name="kind" label="Kind" options={Object.keys(PATHS)} />
          <Field key={`transfer-${user}`} name="user" label="From user id" value={user} required />
          <Field name="to" label="To user id (or the same)" />
          <Field name="amount" label="Amount" type="number" step="any" min={0} value={25} required />
          <Select name="chain" label="Chain" options={CHAINS} />
          <label class="check">
            <input type="checkbox" name="approval" defaultChecked /> require an approval
          </label>
        </Form>
      </div>
    </Card>
  );
}

function bodyOf(kind: string, data: FormData): Record<string, unknown> {
  const from = text(data, 'user');
  const to = text(data, 'to') || from;
  const amount = Number(text(data, 'amount'));
  const chain = text(data, 'chain');
  const common = { requestId: crypto.randomUUID(), requireApproval: data.get('approval') === 'on' };
  const coin = { currency: 'usdc', chain };
  if (kind === 'batch') {
    const batch = [{ userId: to, amount: String(amount) }];
    return { ...common, ...coin, source: { userId: from }, destination: { batch } };
  }
  if (kind === 'bridge') {
    const destination = { userId: to, currency: 'usdc', chain: chain === 'BASE' ? 'POLYGON' : 'BASE' };
    return { ...common, amount, source: { userId: from, ...coin }, destination };
  }
  if (kind === 'offramp') {
    const destination = { currency: 'usd', accountId: 'an-account', userId: from };
    return { ...common, purposeOfPayment: 'other', source: { userId: from, amount, ...coin }, destination };
  }
  return { ...common, ...coin, amount, source: { userId: from }, destination: { userId: to } };
}
