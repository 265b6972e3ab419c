import * as z from 'zod';

// What the emulator writes, as schemas of its own: the client's would prove nothing about it.

export const text = z.string();
export const uuid = z.string().meta({ format: 'uuid' });
export const time = z.string().meta({ format: 'date-time' });
export const date = z.string().meta({ format: 'date' });
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);
export const open = z.record(z.string(), z.unknown());

export const money = z.object({ amount: decimal, currency: text });
export const quote = z.object({
  sendGross: money,
  sendNet: money,
  railFee: money,
  receiveGross: money,
  receiveNet: money,
  rate: decimal,
  expiresAt: z.union([time, z.literal('N/A')]),
});
export const developerFee = z.object({
  feeId: text,
  feeType: z.enum(['FIX', 'PERCENT']),
  feeAmount: z.number(),
  feePercent: z.number().nullable(),
  status: text,
  transactionHash: text.nullable(),
  failedReason: text.nullable(),
});
export const failure = {
  failedReason: text.nullable(),
  error: text.optional(),
  errorDetails: text.optional(),
};
export const identity = { id: uuid, requestId: uuid, createdAt: time, updatedAt: time };
export const person = z.object({
  email: text.nullable(),
  lastName: text.nullable(),
  firstName: text.nullable(),
  businessName: text.nullable(),
});
export const address = z.object({
  addressLine1: text.nullish(),
  addressLine2: text.nullish(),
  city: text.nullish(),
  stateProvinceRegion: text.nullish(),
  postalCode: text.nullish(),
  country: text.nullish(),
});

/** Texts that may be missing, by name. */
export const texts = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, text.nullish()]));
