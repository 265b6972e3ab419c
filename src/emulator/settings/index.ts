/** What the command needs to read the emulator's options from text. */
export type { DeliveryAttempt } from '../delivery/delivery-records.ts';
export { type DialectName, type DialectOptions, resolveDialect } from '../dialect/dialect.ts';
export { type EmulatorOptions, type RequestRecord, WEBHOOK_SECRET } from '../options.ts';
export { parseDuration } from '../state/clock.ts';
