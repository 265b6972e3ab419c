import { counted, money, short, unitOf } from './format.ts';
import { field, listAt, textAt } from './read.ts';

/** Names by the ids of users, accounts and wallets. */
export type Names = Readonly<Record<string, string>>;

/** One who pays or receives: a user, an account, or a wallet. */
interface Party {
  /** The id, or the address of a wallet; the empty text where the record names nobody. */
  id: string;
  name: string;
}

interface Amount {
  amount: string;
  currency: string;
}

/** A transfer, a batch, a bridge, an offramp or an onramp, as people speak of it. */
export interface Payment {
  kind: keyof typeof KINDS;
  payer: Party;
  /** More than one in a batch. */
  payees: readonly (Party & { amount: string })[];
  sends: Amount;
  /** What arrives, where it is in another currency. */
  receives: Amount | undefined;
  /** The chain or the rail, or both where they differ. */
  via: string;
  status: string;
}

const KINDS = {
  'WALLET.TRANSFER': 'Transfer',
  'WALLET.TRANSFER.BATCH': 'Batch',
  'WALLET.BRIDGE': 'Bridge',
  OFFRAMP: 'Offramp',
  ONRAMP: 'Onramp',
} as const;

export function paymentOf(record: unknown, names: Names): Payment {
  const type = textAt(record, 'transferType');
  const details = field(record, 'transferDetails');
  const source = field(details, 'source');
  const destination = field(details, 'destination');
  const batch = listAt(destination, 'batch');
  const sends = {
    amount: textAt(source, 'amount') || textAt(details, 'amount'),
    currency: textAt(source, 'currency') || textAt(details, 'currency'),
  };
  const currency = textAt(destination, 'currency') || sends.currency;
  const received = textAt(destination, 'amount') || textAt(details, 'quoteInformation.receiveNet.amount');
  const from =
    textAt(source, 'chain') || textAt(source, 'transferType').toUpperCase() || textAt(details, 'chain');
  const to = textAt(destination, 'chain');
  return {
    kind: isKind(type) ? type : 'WALLET.TRANSFER',
    payer: partyOf(source, ['userId', 'externalWalletId', 'walletAddress'], names),
    payees: (batch.length === 0 ? [destination] : batch).map((payee) => ({
      ...partyOf(payee, type === 'OFFRAMP' ? ['accountId'] : PAYEE, names),
      amount: textAt(payee, 'amount'),
    })),
    sends,
    receives: currency === sends.currency ? undefined : { amount: received, currency },
    via: [...new Set([from, to])].filter((part) => part !== '').join(' → '),
    status: textAt(details, 'status'),
  };
}

const PAYEE = ['userId', 'externalWalletId', 'walletAddress'];

const isKind = (type: string): type is keyof typeof KINDS => Object.hasOwn(KINDS, type);

export const kindOf = ({ kind }: Payment): string => KINDS[kind];

function partyOf(place: unknown, ids: readonly string[], names: Names): Party {
  const id = ids.map((name) => textAt(place, name)).find((found) => found !== '') ?? '';
  return { id, name: names[id] ?? short(id) };
}

/** Who pays whom: one name where both are the same. */
export function whoOf({ kind, payer, payees: [first, ...others] }: Payment): string {
  if (others.length > 0 || kind === 'WALLET.TRANSFER.BATCH') {
    const count = others.length + 1;
    return `${payer.name} → ${counted(count, 'recipient')}`;
  }
  if (first === undefined || first.id === '' || (first.id === payer.id && kind !== 'WALLET.TRANSFER'))
    return payer.name;
  return `${payer.name} → ${first.name}`;
}

/** What happened, in a line: `12,000.00 USDC, Amina Otieno → Kofi Mensah`. */
export function titleOf(payment: Payment): string {
  const { kind, sends, receives, via } = payment;
  const amounts = [sends, ...(receives === undefined ? [] : [receives])];
  const parts = [
    amounts
      .map(({ amount, currency }) => (amount === '' ? unitOf(currency) : money(amount, currency)))
      .join(' → '),
    whoOf(payment),
    ...(kind === 'WALLET.BRIDGE' ? [via] : []),
  ];
  return parts.filter((part) => part !== '').join(', ');
}
