export type * from './options.ts';
export { signWebhook } from './sign.ts';
