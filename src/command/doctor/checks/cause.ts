import type { PaymentsError } from 'stablecoin-payments';
import type { LastResponse } from '../observed-call.ts';

/** One of the first reads, which failed. */
export interface Failed {
  readonly operation: string;
  readonly error: PaymentsError;
  /** Undefined if no response arrived. */
  readonly response: LastResponse | undefined;
  /** True if the doctor stopped waiting. */
  readonly isSilent: boolean;
}

/** Why nothing can be checked, with one remedy. */
export interface Cause {
  readonly check: 'reachability' | 'authentication';
  readonly message: string;
}

export const reachability = (message: string): Cause => ({ check: 'reachability', message });

export const authentication = (message: string): Cause => ({ check: 'authentication', message });

/** The statuses of content delivery networks that cannot use the server behind them. */
export const isOfNetwork = (status: number): boolean => status >= 520 && status <= 530;
