import type { DeliveryRecord } from '../delivery/delivery-records.ts';
import { EventLog } from '../delivery/event-log.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { EmulatorEvent, MetricRecord } from '../service/records/metrics-and-events.ts';
import type { OnrampRecord } from '../service/records/onramp.ts';
import type { ApprovalRecord, EmulatedTransferRecord } from '../service/records/transfer.ts';
import type {
  AccountRecord,
  BalanceRecord,
  ExternalWalletRecord,
  UserRecord,
} from '../service/records/users.ts';
import type { Clock } from './clock.ts';
import { Collection } from './collection.ts';
import type { HistoryRecord } from './history.ts';
import { Ids } from './ids.ts';
import type { LedgerEntry } from './ledger.ts';
import { Tasks } from './tasks.ts';

/** The delays and limits that the spec leaves open, in milliseconds. */
interface Pace {
  accountValidation: number | undefined;
  settlementStep: number;
  quoteLifetime: number | undefined;
  depositWindow: number;
}

/** The keys that sign deliveries with a JWT and verify them, as PEM. */
export interface WebhookKeys {
  privateKey: string;
  publicKey: string;
}

/** The kinds of records that the emulator keeps by id. */
interface Records {
  users: UserRecord;
  accounts: AccountRecord;
  onramps: OnrampRecord;
  /** The transfers of every other kind. */
  transfers: EmulatedTransferRecord;
  /** The approvals, whatever their state. */
  approvals: ApprovalRecord;
  externalWallets: ExternalWalletRecord;
  metrics: MetricRecord;
  /** The balances that were set. */
  balances: BalanceRecord;
  /** The deliveries to the webhook. */
  deliveries: DeliveryRecord;
  /** The used `requestId`s and their responses. */
  ledger: LedgerEntry;
  events: EmulatorEvent;
  /** The statuses and events of each record. */
  history: HistoryRecord;
  /** The events that are held back. */
  held: EmulatorEvent;
}

type Collections = { readonly [Kind in keyof Records]: Collection<Records[Kind]> };

/** Every record, by kind. */
export type RecordLists = { [Kind in keyof Records]: Records[Kind][] };

/** The complete state of the emulated service. */
export interface World extends Omit<Collections, 'events' | 'held'> {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: EventLog;
  readonly tasks: Tasks;
  readonly pace: Pace;
  /** The dialect; a restored snapshot brings its own. */
  dialect: Dialect;
  /** The collections of records, by kind. */
  readonly collections: Collections;
  /** The keys that were made to sign deliveries; `null` before they are needed. */
  webhookKeys: WebhookKeys | null;
  /** Called when an attempt to deliver an event is due. */
  onDeliveryDue: (deliveryId: string, at: number) => void;
}

export interface WorldParts extends Pick<World, 'clock' | 'pace' | 'dialect'> {
  seed: string;
}

export function createWorld({ clock, seed, pace, dialect }: WorldParts): World {
  const ids = new Ids(seed);
  const tasks = new Tasks();
  const collections = createCollections();
  const { events: _, held: __, ...records } = collections;
  return {
    ...records,
    collections,
    clock,
    ids,
    events: new EventLog({ clock, ids, collections }),
    tasks,
    pace,
    dialect,
    webhookKeys: null,
    onDeliveryDue: () => {},
  };
}

export function recordLists({ collections }: World): RecordLists {
  const lists = Object.entries(collections).map(([kind, collection]) => [kind, collection.list()]);
  // Each list is of its collection's records, which the compiler does not follow through entries.
  return Object.fromEntries(lists) as RecordLists;
}

export function replaceRecords({ collections }: World, lists: RecordLists): void {
  const replace = <Kind extends keyof Records>(kind: Kind) => collections[kind].replaceWith(lists[kind]);
  // The keys of an object that was made here, which the compiler takes for any text.
  for (const kind of Object.keys(collections) as (keyof Records)[]) replace(kind);
}

const createCollections = (): Collections => ({
  users: new Collection(),
  accounts: new Collection(),
  onramps: new Collection(),
  transfers: new Collection(),
  approvals: new Collection(),
  externalWallets: new Collection(),
  metrics: new Collection(),
  balances: new Collection(),
  deliveries: new Collection(),
  ledger: new Collection(),
  events: new Collection(),
  history: new Collection(),
  held: new Collection(),
});
