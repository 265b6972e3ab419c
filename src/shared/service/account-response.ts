import { account, accountDeletion } from './accounts.ts';
import { shape } from './response-shape.ts';

/** Services return the record in several forms, so that nothing in it is essential. */
export const accountShape = /* @__PURE__ */ shape(account, []);

export const accountDeletionShape = /* @__PURE__ */ shape(accountDeletion, []);
