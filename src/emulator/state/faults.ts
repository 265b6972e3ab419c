import { ServiceProblem } from '../problem.ts';

export const FAULT_KINDS = [
  'latency',
  'reset-before-commit',
  'reset-after-commit',
  'stall-headers',
  'stall-body',
  'cut-body',
  'status',
  'malformed-json',
  'unknown-enum',
  'unknown-field',
  'missing-field',
  'wrong-type',
] as const satisfies readonly FaultKind[];
/** The delay of a `latency` fault that states none, in milliseconds. */
export const USUAL_LATENCY = 1000;

/** The kinds of faults: a delay, a broken connection, an error status, or a body that differs from the spec. */
export type FaultKind =
  | 'latency'
  | 'reset-before-commit'
  | 'reset-after-commit'
  | 'stall-headers'
  | 'stall-body'
  | 'cut-body'
  | 'status'
  | 'malformed-json'
  | 'unknown-enum'
  | 'unknown-field'
  | 'missing-field'
  | 'wrong-type';

/** An operation, named as in the client; of lookups and accepted quotes, which the client does not have, in the same way. */
export type OperationName =
  | 'onramps.create'
  | 'onramps.refreshQuote'
  | 'onramps.acceptQuote'
  | 'onramps.list'
  | 'onramps.retrieve'
  | 'accounts.create'
  | 'accounts.list'
  | 'accounts.retrieve'
  | 'accounts.delete'
  | 'transfers.create'
  | 'transfers.createBatch'
  | 'transfers.list'
  | 'transfers.retrieve'
  | 'bridges.create'
  | 'bridges.acceptQuote'
  | 'bridges.list'
  | 'bridges.retrieve'
  | 'offramps.create'
  | 'offramps.acceptQuote'
  | 'offramps.list'
  | 'offramps.retrieve'
  | 'approvals.list'
  | 'approvals.approve'
  | 'approvals.reject'
  | 'reporting.retrieveResults'
  | 'kyc.retrieve'
  | 'externalWallets.list';

/** A fault to inject, and the calls that it applies to. */
export interface FaultSpec {
  /** The operation, named as in the client or as you added it; `'*'` for any. Default `'*'`. */
  operation?: OperationName | '*' | (string & {}) | undefined;
  /** One of `FaultKind`. `latency` only delays the response. */
  kind: FaultKind;
  /** The number of calls that it applies to, 1 to 1,000,000. Default 1. */
  times?: number | undefined;
  /** Delay of the response in milliseconds, 0 to 600,000, for any kind. Default 0, and 1000 for `latency`. */
  latency?: number | undefined;
  /** The status of a `status` fault, 300 to 599. Default 503 with `retryAfter`, else 500. */
  status?: number | undefined;
  /** The Retry-After header: seconds, or a date as HTTP writes it. */
  retryAfter?: number | string | undefined;
  /** Executes the operation before a `status` fault. Default `false`. */
  commit?: boolean | undefined;
  /** The field that `unknown-enum`, `missing-field` or `wrong-type` changes, such as `transferDetails.status`. */
  field?: string | undefined;
}

/** An injected fault, with the number of calls that are left. */
export interface Fault extends FaultSpec {
  /** Assigned by `inject`. */
  id: string;
  /** The operation, or `'*'` for any. */
  operation: OperationName | '*' | (string & {});
  /** The number of calls that it still applies to. */
  times: number;
}

/** The injected faults, and functions to inject and clear them. */
export interface EmulatorFaults {
  /** Returns the injected faults, in the order in which they apply. */
  list(): Fault[];
  /**
   * Injects a fault. The oldest matching fault applies to a call, one fault per call.
   *
   * @param fault - The kind, the operation, and how often.
   * @throws Error when a field is invalid, or there are already 1000 faults.
   *
   * @example
   * ```ts
   * emulator.faults.inject({ operation: 'transfers.create', kind: 'status', status: 503, times: 2 });
   * ```
   */
  inject(fault: FaultSpec): Fault;
  /**
   * Clears faults.
   *
   * @param which - Clears only the faults of this operation or kind. Default: all.
   * @returns The number of cleared faults.
   *
   * @example
   * ```ts
   * emulator.faults.clear({ operation: 'transfers.create' });
   * ```
   */
  clear(which?: { operation?: string | undefined; kind?: string | undefined }): number;
}

const MOST_FAULTS = 1000;

export class FaultList implements EmulatorFaults {
  #faults: Fault[] = [];
  #count = 0;

  list(): Fault[] {
    return structuredClone(this.#faults);
  }

  inject(fault: FaultSpec): Fault {
    if (this.#faults.length >= MOST_FAULTS) {
      throw new ServiceProblem(
        409,
        'TOO_MANY_FAULTS',
        `There are already ${MOST_FAULTS} faults; clear some first`,
      );
    }
    this.#count += 1;
    const id = `fault-${this.#count}`;
    const added: Fault = { ...fault, id, operation: fault.operation ?? '*', times: fault.times ?? 1 };
    this.#faults.push(added);
    return { ...added };
  }

  clear({ operation, kind }: { operation?: string | undefined; kind?: string | undefined } = {}): number {
    const before = this.#faults.length;
    this.#faults = this.#faults.filter(
      (fault) =>
        (operation !== undefined && fault.operation !== operation) ||
        (kind !== undefined && fault.kind !== kind),
    );
    return before - this.#faults.length;
  }

  /** The fault that befalls this call, used up by one. */
  take(operation: string): Fault | undefined {
    const fault = this.#faults.find(
      (candidate) => candidate.operation === operation || candidate.operation === '*',
    );
    if (fault === undefined) return undefined;
    fault.times -= 1;
    if (fault.times <= 0) this.#faults = this.#faults.filter((candidate) => candidate !== fault);
    return fault;
  }

  replaceWith(faults: readonly Fault[]): void {
    this.#faults = [...faults];
    this.#count = faults.reduce((most, { id }) => Math.max(most, Number(id.slice('fault-'.length))), 0);
  }
}
