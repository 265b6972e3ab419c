import type { ListName } from '../src/emulator/page/kinds.ts';
import type { EmulatorView } from '../src/emulator/page/view.ts';
import { messageIn, send } from './api.ts';
import { short } from './format.ts';
import { KINDS } from './kinds.tsx';
import { openRecord } from './open-record.ts';
import { Field, Form, Select, userOptions } from './parts.tsx';
import { field, textAt } from './read.ts';

type User = EmulatorView['users'][number];

/** The kinds of records that the page can create. */
const CREATED = ['users', 'accounts', 'onramps', 'transfers'] as const;
type Created = (typeof CREATED)[number];

export function isCreated(kind: ListName): kind is Created {
  return CREATED.some((created) => created === kind);
}

/** A form that creates a record, folded until it is asked for. */
export function Create({ kind, users, owner }: { kind: Created; users: User[]; owner?: string }) {
  const one = KINDS[kind].one.toLowerCase();
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
  users: User[];
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
      <UserSelect name="to" label="Recipient" users={users} value={otherThan(owner, users)} />
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
      <UserSelect name="to" label="Recipient" users={users} value={otherThan(owner, users)} />
      <Field name="amount" label="Amount" type="number" step="any" min={0} value={25} required />
      <Field name="currency" label="Currency" value="usdc" required />
      <ChainSelect />
      <label class="check">
        <input type="checkbox" name="requireApproval" /> requires an approval
      </label>
    </Form>
  );
}

/** Another user than the payer, if there is one. */
const otherThan = (owner: string, users: User[]): string => users.find(({ id }) => id !== owner)?.id ?? owner;

export function ChainSelect() {
  const chains = ['POLYGON', 'ETHEREUM', 'SOLANA', 'BASE', 'OPTIMISM', 'ARBITRUM'];
  return <Select name="chain" label="Chain" options={chains} />;
}

interface UserSelectProps {
  name: string;
  label: string;
  users: User[];
  value: string;
}

function UserSelect({ name, label, users, value }: UserSelectProps) {
  const options = userOptions(users);
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

function nameOf(users: User[], id: string): string {
  return users.find((user) => user.id === id)?.name || 'Jane Doe';
}

/** Sends a request to the service, as an integrator does, and opens the record that it made. */
async function createBy(path: string, body: unknown): Promise<string> {
  const sent = await send('POST', '/requests', { method: 'POST', path, body });
  const status = textAt(sent, 'request.status');
  if (status === '') {
    // Like any client, the page then knows nothing of the payment. The request's timeline does.
    openRecord('requests', textAt(sent, 'request.id'));
    return `No response arrived, because of the fault ${textAt(sent, 'request.fault')}: see what the service did`;
  }
  const [list, id] = [textAt(sent, 'record.list'), textAt(sent, 'record.id')];
  if (id !== '') {
    openRecord(list, id);
    return `Created ${list.replace(/s$/, '')} ${short(id)}`;
  }
  const response = field(field(sent, 'response'), 'body');
  throw new Error(messageIn(response) ?? `the service responded with ${status}`);
}

/** A random UUID. Over plain HTTP from another machine, a browser has no `crypto.randomUUID`. */
function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
