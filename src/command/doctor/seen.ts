import type { DialectOptions } from 'stablecoin-payments/emulator';

/** A response that a check got. */
export interface Sample {
  /** The operation, or what else the response is a sample of. */
  readonly what: string;
  readonly status: number;
  readonly body: unknown;
}

/** How a list of a user is divided into pages. */
export interface SeenList {
  readonly operation: 'accounts.list' | 'externalWallets.list';
  /** The items of the first page, without a `limit`. */
  readonly first: number;
  /** False if there are more. */
  readonly isAll: boolean;
  /** True if the last page has a cursor; undefined if the list was not read to its end. */
  readonly hasLastCursor: boolean | undefined;
}

/** What the checks saw of the service. */
export interface Seen {
  readonly samples: Sample[];
  readonly lists: SeenList[];
  /** The parameters that reach the second page of a list; each entry is one list. */
  readonly cursors: (readonly string[])[];
  /** The response to a `requestId` that was sent again. */
  repeated?: 'replay' | { readonly status: number; readonly name: string | undefined };
  /** The captured delivery. */
  delivery?: {
    readonly webhookScheme: DialectOptions['webhookScheme'];
    readonly eventType: unknown;
  };
}

export const nothingSeen = (): Seen => ({ samples: [], lists: [], cursors: [] });
