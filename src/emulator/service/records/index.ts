// The emulator's records, written as they go over the wire.

export * from './onramp.ts';
export * from './people.ts';
export * from './reporting.ts';
export * from './transfer.ts';
