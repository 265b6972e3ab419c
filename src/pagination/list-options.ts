import type { RequestOptions } from '../transport/types.ts';

/** Options of a list that is paged by cursor. */
export interface ListOptions extends RequestOptions {
  /** Fetch the next page while the current one is being worked on. Default false. */
  prefetch?: boolean;
}
