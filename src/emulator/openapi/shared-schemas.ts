import * as z from 'zod/mini';

// What the emulator writes, as schemas of its own: the client's would prove nothing about it.

export const text = z.string();
export const uuid = z.string().register(z.globalRegistry, { format: 'uuid' });
export const time = z.string().register(z.globalRegistry, { format: 'date-time' });
export const date = z.string().register(z.globalRegistry, { format: 'date' });
const decimal = z.string().check(z.regex(/^-?\d+(\.\d+)?$/));
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
  feePercent: z.nullable(z.number()),
  status: text,
  transactionHash: z.nullable(text),
  failedReason: z.nullable(text),
});
export const failure = {
  failedReason: z.nullable(text),
  error: z.optional(text),
  errorDetails: z.optional(text),
};
export const identity = { id: uuid, requestId: uuid, createdAt: time, updatedAt: time };
/** Texts that may be missing, by name. */
export const texts = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, z.nullish(text)]));

/** Texts that may be null, by name. */
export const nullTexts = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, z.nullable(text)]));

export const person = z.object(nullTexts('email', 'lastName', 'firstName', 'businessName'));
export const address = z.object(
  texts(['addressLine1', 'addressLine2', 'city', 'stateProvinceRegion', 'postalCode', 'country']),
);
