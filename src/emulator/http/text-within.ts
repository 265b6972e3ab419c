/** Reads the text of a stream; undefined where it has more bytes than the limit, of which the rest is cancelled. */
export async function textWithin(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<string | undefined> {
  const reader = stream?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}
