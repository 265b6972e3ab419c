import type { ListName } from '../src/emulator/page/kinds.ts';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { field, messageIn, send, textAt } from './api.ts';
import { short } from './format.ts';
import { LISTS } from './lists.ts';
import { openRecord } from './open-record.ts';
import { Field, Form, Select } from './parts.tsx';

type User = EmulatorView['users'][number];

/** The kinds of records that the page can create. */
const CREATED = ['users', 'accounts', 'onramps', 'transfers'] as const;
type Created = (typeof CREATED)[number];

export function isCreated(kind: ListName): kind is Created {
  return CREATED.some((created) => created === kind);
}

/** A form that creates a record, folded until it is asked for. */
export function Create({ kind, users, owner }: { kind: Created; users: readonly User[]; owner?: string }) {
  const one = LISTS[kind].one.toLowerCase();
  const article = /^[aeio]/.test(one) ? 'an' : 'a';
  return (
    <details class="create">
      <summary>
        Create {article} {one}…
      </summary>
      {kind !== 'users' && users.length === 0 ? (
        <p>
          It belongs to a user. <a href="#/users">Create a user</a> first.
        </p>
      ) : (
        <CreateForm kind={kind} users={users} owner={owner ?? users[0]?.id ?? ''} />
      )}
    </details>
  );
}

interface FormProps {
  users: readonly User[];
  owner: string;
}

function CreateForm({ kind, ...props }: FormProps & { kind: Created }) {
  if (kind === 'users') return <UserForm />;
  if (kind === 'accounts') return <AccountForm {...props} />;
  return kind === 'onramps' ? <OnrampForm {...props} /> : <TransferForm {...props} />;
}

export function UserForm() {
  const create = async (data: FormData) => {
    const names = ['firstName', 'lastName'].map((name) => [name, String(data.get(name)).trim()] as const);
    const kyc = Object.fromEntries(names.filter(([, value]) => value !== ''));
    const user = await send('POST', '/users', {
      rails: data.getAll('rails'),
      ...(Object.keys(kyc).length === 0 ? {} : { kyc }),
    });
    openRecord('users', textAt(user, 'userId'));
    return `Created user ${short(textAt(user, 'userId'))}`;
  };
  return (
    <Form button="Create the user" command={create}>
      <Field name="firstName" label="First name (optional)" />
      <Field name="lastName" label="Last name (optional)" />
      {['usd', 'africa'].map((rail) => (
        <label key={rail} class="check">
          <input type="checkbox" name="rails" value={rail} defaultChecked /> rail {rail}
        </label>
      ))}
    </Form>
  );
}

const ADDRESS = {
  addressLine1: '1 Example Road',
  city: 'Example City',
  stateProvinceRegion: 'Central',
  postalCode: '10101',
};

function AccountForm({ users, owner }: FormProps) {
  const create = (data: FormData) => {
    const isUs = data.get('type') === 'us';
    const accountHolder = {
      type: 'individual',
      name: data.get('name'),
      phone: '+256700000000',
      email: 'holder@example.com',
      address: { ...ADDRESS, country: isUs ? 'USA' : 'UGA' },
    };
    const us = {
      transferType: 'ach',
      accountType: 'checking',
      accountNumber: '000123456789',
      routingNumber: '000000000',
      bankName: 'Example Bank',
      currency: 'usd',
    };
    const africa = {
      financialInstitute: 'MTN',
      accountType: 'momo',
      accountNumber: '0700000000',
      currency: 'ugx',
      country: 'uga',
    };
    const common = { rail: data.get('rail'), type: data.get('type'), accountHolder };
    const path = `/v2/users/${encodeURIComponent(String(data.get('userId')))}/accounts`;
    return createBy(path, isUs ? { ...common, us } : { ...common, africa });
  };
  return (
    <Form button="Create the account" command={create}>
      <UserSelect name="userId" label="User" users={users} value={owner} />
      <Select
        name="type"
        label="Kind"
        options={[
          ['us', 'US bank account, usd'],
          ['africa', 'African mobile money, ugx'],
        ]}
      />
      <Select
        name="rail"
        label="Used for"
        options={[
          ['onramp', 'onramps'],
          ['offramp', 'offramps'],
        ]}
      />
      <Field name="name" label="Name of the holder" value={nameOf(users, owner)} required />
    </Form>
  );
}

function OnrampForm({ users, owner }: FormProps) {
  const create = (data: FormData) => {
    const accountId = String(data.get('accountId')).trim();
    return createBy('/v2/onramps', {
      requestId: newRequestId(),
      source: {
        userId: data.get('from'),
        currency: String(data.get('currency')).trim(),
        amount: Number(data.get('amount')),
        ...(accountId === '' ? { transferType: 'ach' } : { accountId }),
      },
      destination: { userId: data.get('to'), currency: 'usdc', chain: data.get('chain') },
    });
  };
  return (
    <Form button="Create the onramp" command={create}>
      <UserSelect name="from" label="Payer" users={users} value={owner} />
      <UserSelect name="to" label="Recipient" users={users} value={owner} />
      <Field name="amount" label="Amount" type="number" step="any" min={0} value={100} required />
      <Field name="currency" label="Currency" value="usd" required />
      <ChainSelect />
      <Field name="accountId" label="Account id (optional)" placeholder="one-time deposit" />
    </Form>
  );
}

function TransferForm({ users, owner }: FormProps) {
  const create = (data: FormData) =>
    createBy('/v2/wallets/transfers', {
      requestId: newRequestId(),
      source: { userId: data.get('from') },
      destination: { userId: data.get('to') },
      amount: Number(data.get('amount')),
      currency: String(data.get('currency')).trim(),
      chain: data.get('chain'),
      ...(data.get('requireApproval') === 'on' ? { requireApproval: true } : {}),
    });
  return (
    <Form button="Create the transfer" command={create}>
      <UserSelect name="from" label="Payer" users={users} value={owner} />
      <UserSelect name="to" label="Recipient" users={users} value={owner} />
      <Field name="amount" label="Amount" type="number" step="any" min={0} value={25} required />
      <Field name="currency" label="Currency" value="usdc" required />
      <ChainSelect />
      <label class="check">
        <input type="checkbox" name="requireApproval" /> requires an approval
      </label>
    </Form>
  );
}

function ChainSelect() {
  const chains = ['POLYGON', 'ETHEREUM', 'SOLANA', 'BASE', 'OPTIMISM', 'ARBITRUM'];
  return <Select name="chain" label="Chain" options={chains} />;
}

interface UserSelectProps {
  name: string;
  label: string;
  users: readonly User[];
  value: string;
}

function UserSelect({ name, label, users, value }: UserSelectProps) {
  // An option takes no markup to isolate the direction of a name, so characters that turn it are left out.
  const options = users.map((user) => {
    const name = user.name.replaceAll(/\p{C}/gu, '');
    return [user.id, `${name} ${short(user.id)}`.trim()] as const;
  });
  // A record's page may be of a user who is older than those to choose from.
  const known = users.some(({ id }) => id === value);
  return (
    <Select
      name={name}
      label={label}
      options={known || value === '' ? options : [[value, `User ${short(value)}`], ...options]}
      value={value}
    />
  );
}

function nameOf(users: readonly User[], id: string): string {
  return users.find((user) => user.id === id)?.name || 'Jane Doe';
}

/** Sends a request to the service, as an integrator does, and opens the record that it made. */
async function createBy(path: string, body: unknown): Promise<string> {
  const sent = await send('POST', '/requests', { method: 'POST', path, body });
  const [list, id] = [textAt(sent, 'record.list'), textAt(sent, 'record.id')];
  if (id !== '') {
    openRecord(list, id);
    return `Created ${list.replace(/s$/, '')} ${short(id)}`;
  }
  const fault = textAt(sent, 'request.fault');
  const response = field(field(sent, 'response'), 'body');
  throw new Error(
    messageIn(response) ??
      (textAt(sent, 'request.status') === ''
        ? `no response left the emulator, because of the fault ${fault}`
        : `the service responded with ${textAt(sent, 'request.status')}`),
  );
}

/** A random UUID. Over plain HTTP from another machine, a browser has no `crypto.randomUUID`. */
function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
