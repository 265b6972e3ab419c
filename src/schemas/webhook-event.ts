import * as z from './zod.ts';

/** What every event must have, of whatever kind. Other fields may be missing or of another type. */
export const webhookEnvelopeSchema = z.looseObject({ eventType: z.text(), data: z.looseObject({}) });

/** What an approval event must have beside the envelope. */
export const approvalEventSchema = z.looseObject({ data: z.looseObject({ transferId: z.text() }) });
