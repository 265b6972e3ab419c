// The emulator's records, written as they go over the wire.

export * from './records/onramp.ts';
export * from './records/people.ts';
export * from './records/reporting.ts';
export * from './records/transfer.ts';
