import { account, accountDeletion } from '../shared/service/accounts.ts';
import { shape } from './zod.ts';

/** Services return the record in several forms, so that nothing in it is essential. */
export const accountShape = /* @__PURE__ */ shape(account, []);

export const accountDeletionShape = /* @__PURE__ */ shape(accountDeletion, []);
