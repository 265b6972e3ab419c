import type { DeliveryRecord } from '../delivery/delivery-records.ts';
import type { EventLog } from '../delivery/event-log.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type {
  AccountRecord,
  ApprovalRecord,
  BalanceRecord,
  EmulatedTransferRecord,
  ExternalWalletRecord,
  MetricRecord,
  OnrampRecord,
  UserRecord,
} from '../service/records/index.ts';
import type { Clock } from './clock.ts';
import { Collection } from './collection.ts';
import type { HistoryRecord } from './history.ts';
import type { Ids } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { Tasks } from './tasks.ts';

/** The delays and limits that the spec leaves open, in milliseconds. */
interface Pace {
  accountValidation: number | undefined;
  settlementStep: number;
  quoteLifetime: number | undefined;
  depositWindow: number;
}

/** The complete state of the emulated service. */
export interface World {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: EventLog;
  readonly ledger: Ledger;
  readonly pace: Pace;
  /** The dialect, which may change while the emulator runs. */
  dialect: Dialect;
  readonly tasks: Tasks;
  readonly users: Collection<UserRecord>;
  readonly accounts: Collection<AccountRecord>;
  readonly onramps: Collection<OnrampRecord>;
  readonly transfers: Collection<EmulatedTransferRecord>;
  readonly approvals: Collection<ApprovalRecord>;
  readonly externalWallets: Collection<ExternalWalletRecord>;
  readonly metrics: Collection<MetricRecord>;
  readonly balances: Collection<BalanceRecord>;
  readonly deliveries: Collection<DeliveryRecord>;
  /** The states that records were in. */
  readonly history: Collection<HistoryRecord>;
  /** The private key (PKCS#8, PEM) that was made to sign deliveries; `null` before one is needed. */
  webhookKey: string | null;
  /** Called when an attempt to deliver an event is due. */
  onDeliveryDue: (deliveryId: string, at: number) => void;
}

export interface WorldParts {
  clock: Clock;
  readonly ids: Ids;
  events: EventLog;
  ledger: Ledger;
  pace: Pace;
  dialect: Dialect;
  historyLimit: number;
}

export function createWorld({ historyLimit, ...parts }: WorldParts): World {
  const tasks = new Tasks();
  // A forgotten transfer takes its approval and its requestId with it: an id is never free while its transfer lives.
  const forget = (record: { id: string; requestId: string }): void => {
    tasks.cancel(record.id);
    parts.ledger.forget(record.requestId);
  };
  // What is set up once is no history: a user, an account or a balance never disappears behind the records of others.
  const approvals = new Collection<ApprovalRecord>();
  return {
    ...parts,
    tasks,
    approvals,
    users: new Collection(),
    accounts: new Collection<AccountRecord>({
      limit: Number.POSITIVE_INFINITY,
      onForget: ({ id }) => tasks.cancel(id),
    }),
    onramps: new Collection<OnrampRecord>({ limit: historyLimit, onForget: forget, isSettled }),
    transfers: new Collection<EmulatedTransferRecord>({
      limit: historyLimit,
      isSettled,
      onForget: (record) => {
        forget(record);
        const approval = record.transferDetails.receipt.approval;
        if (approval !== undefined) approvals.delete(approval.id);
      },
    }),
    externalWallets: new Collection(),
    metrics: new Collection(),
    balances: new Collection(),
    deliveries: new Collection<DeliveryRecord>({
      limit: historyLimit,
      onForget: ({ id }) => tasks.cancel(id),
    }),
    // Of each record that has states: transfers, onramps, accounts and approvals.
    history: new Collection<HistoryRecord>({ limit: 4 * historyLimit }),
    webhookKey: null,
    onDeliveryDue: () => {},
  };
}

const SETTLED: readonly string[] = [
  'COMPLETED',
  'CANCELLED',
  'REJECTED',
  'EXPIRED',
  'FIAT_FAILED',
  'FIAT_RETURNED',
  'CRYPTO_FAILED',
  'QUOTE_FAILED',
];

function isSettled({ transferDetails }: { transferDetails: { status: string } }): boolean {
  return SETTLED.includes(transferDetails.status);
}
