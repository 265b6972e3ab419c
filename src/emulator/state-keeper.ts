import { storeFailure } from './http/respond.ts';
import type { ChangeTracker } from './state/change-tracker.ts';

/** Stores the state outside the process, if anything does. */
export interface Keeper {
  stored: () => Promise<void>;
  changes?: ChangeTracker;
}

/** The response, once what it tells is stored; a 500 where it cannot be. */
export async function acknowledged(response: Response, { stored }: Keeper): Promise<Response> {
  try {
    await stored();
    return response;
  } catch (error) {
    return storeFailure(error);
  }
}
