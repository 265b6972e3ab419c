// The emulator's records, written as they go over the wire.

export * from './metrics-and-events.ts';
export * from './onramp.ts';
export * from './transfer.ts';
export * from './users.ts';
