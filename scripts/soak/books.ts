import type { Outcome } from 'stablecoin-payments';
import type { EmulatorState } from 'stablecoin-payments/emulator';

/** What the client told the caller of a payment, held until the next audit. */
interface Entry {
  amount: number;
  outcome: Outcome;
}

interface LedgerRecord {
  id: string;
  requestId: string;
  amount: number;
}

/** What an audit counted. Amounts are whole numbers, so that sums are exact. */
export interface Audit {
  payments: number;
  /** Told as unknown, and found in the ledger. */
  unknownButDone: number;
  /** Told as unknown, and not found. */
  unknownAndNotDone: number;
  sumToldOrFound: number;
  sumInLedger: number;
  violations: string[];
}

/** Keeps what the caller was told and compares it with the ledger: each payment at most once, and as it was told. */
export class Books {
  #entries = new Map<string, Entry>();
  #audited = new Set<string>();

  /** Records the outcome of a call. A certain outcome stays, even if a later call with the same id is uncertain. */
  note(requestId: string, amount: number, outcome: Outcome): void {
    const known = this.#entries.get(requestId);
    if (known === undefined || known.outcome === 'unknown') this.#entries.set(requestId, { amount, outcome });
  }

  /** Compares all that was noted since the last audit with what came into the ledger since then. */
  audit(state: EmulatorState): Audit {
    const records = ledgerRecords(state);
    const added = records.filter(({ id }) => !this.#audited.has(id));
    const audit: Audit = {
      payments: this.#entries.size,
      unknownButDone: 0,
      unknownAndNotDone: 0,
      sumToldOrFound: 0,
      sumInLedger: 0,
      violations: [],
    };
    const found = new Map<string, LedgerRecord>();
    for (const record of added) {
      audit.sumInLedger += record.amount;
      if (found.has(record.requestId)) audit.violations.push(`${record.requestId} was paid twice`);
      if (!this.#entries.has(record.requestId)) {
        audit.violations.push(`${record.requestId} is in the ledger, but was not asked for`);
      }
      found.set(record.requestId, record);
    }
    for (const [requestId, { amount, outcome }] of this.#entries) {
      const record = found.get(requestId);
      if (outcome === 'unknown' && record === undefined) audit.unknownAndNotDone += 1;
      if (outcome === 'unknown' && record !== undefined) audit.unknownButDone += 1;
      if (outcome === 'succeeded' || (outcome === 'unknown' && record !== undefined)) {
        audit.sumToldOrFound += amount;
      }
      if (outcome === 'succeeded' && record === undefined) {
        audit.violations.push(`${requestId} was told as done, but is not in the ledger`);
      }
      if ((outcome === 'rejected' || outcome === 'not-sent') && record !== undefined) {
        audit.violations.push(`${requestId} was told as ${outcome}, but is in the ledger`);
      }
    }
    if (audit.sumToldOrFound !== audit.sumInLedger) audit.violations.push('the sums differ');
    this.#audited = new Set(records.map(({ id }) => id));
    this.#entries = new Map();
    return audit;
  }
}

function ledgerRecords({ transfers, onramps }: EmulatorState): LedgerRecord[] {
  return [
    ...transfers.map(({ id, requestId, transferDetails }) => ({
      id,
      requestId,
      amount: transferDetails.amount,
    })),
    ...onramps.map(({ id, requestId, transferDetails }) => ({
      id,
      requestId,
      amount: transferDetails.source.amount,
    })),
  ];
}
