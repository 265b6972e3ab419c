import type { RequestOptions } from '../transport/types.ts';

/** Options of a list that is paged by cursor. */
export interface ListOptions extends RequestOptions {
  /** Fetches the next page while you process the current one. Default false. */
  prefetch?: boolean;
}
