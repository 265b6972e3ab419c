import { decoderOf, encodingNames, isTooLarge } from '../../shared/content-encoding.ts';
import { jsonIn } from '../../shared/values.ts';
import type { Bytes } from '../schemes/bytes.ts';
import { refusal } from '../schemes/verifier.ts';
import { bodyTooLarge } from './raw-request.ts';

/** Senders apply one encoding. More only keep the receiver busy. */
const maxEncodings = 5;

/** A body as it was sent, and what it says. */
export interface DecodedBody {
  /** The body without its content encodings: the same as `sent` where nothing had to be undone. */
  readonly text: Bytes;
  readonly sent: Bytes;
  /** The content encodings that something undid before the receiver. */
  readonly undoneBefore?: string;
}

/**
 * Undoes the content encodings of a body. A body that is JSON has none: frameworks undo them, and leave the header as it
 * was. So each body has one reading, whatever its header says.
 *
 * @throws WebhookVerificationError where the platform cannot undo them, or the text is larger than the limit.
 */
export async function decodedBody(sent: Bytes, headers: Headers, limit: number): Promise<DecodedBody> {
  const header = headers.get('content-encoding');
  if (header === null) return { text: sent, sent };
  const encodings = encodingNames(header);
  if (encodings.length === 0) return { text: sent, sent };
  if (isJsonText(sent)) return { text: sent, sent, undoneBefore: encodings.join(', ') };
  if (encodings.length > maxEncodings)
    throw refusal('webhook_encoded_body', `The body has more than ${maxEncodings} content encodings.`);
  let bytes: Uint8Array = sent;
  for (const encoding of encodings.reverse()) bytes = await undone(bytes, encoding, limit);
  return { text: new Uint8Array(bytes), sent };
}

async function undone(bytes: Uint8Array, encoding: string, limit: number): Promise<Uint8Array> {
  const decode = decoderOf(encoding);
  if (decode === undefined) {
    throw refusal(
      'webhook_encoded_body',
      `The body has the content encoding ${JSON.stringify(encoding.slice(0, 40))}, which this platform cannot undo. ` +
        'Ask the service to send its webhooks without it, or undo it before the receiver.',
    );
  }
  try {
    return await decode(bytes, limit);
  } catch (cause) {
    if (isTooLarge(cause)) throw bodyTooLarge(limit);
    throw refusal(
      'webhook_encoded_body',
      `The content encoding ${JSON.stringify(encoding)} of the body cannot be undone: the body is cut off, or in another encoding such as base64.`,
      { cause },
    );
  }
}

/** No compressed bytes are the text of a JSON object or list. */
function isJsonText(bytes: Bytes): boolean {
  const value = jsonIn(new TextDecoder().decode(bytes));
  return typeof value === 'object' && value !== null;
}
