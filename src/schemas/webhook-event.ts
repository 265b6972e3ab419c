import * as z from './zod.ts';

/** The fields that every event must have. Other fields may be missing or have another type. */
export const webhookEnvelopeSchema = z.looseObject({ eventType: z.text(), data: z.looseObject({}) });

/** The field that an approval event must have besides the envelope. */
export const approvalEventSchema = z.looseObject({ data: z.looseObject({ transferId: z.text() }) });
