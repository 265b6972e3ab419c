import { isRecord } from '../../shared/values.ts';

/** A field beside the list: at the top of the response, or in an object at its top. One that is empty is missing. */
export function fieldOfEnvelope(body: unknown, name: string): unknown {
  if (!isRecord(body)) return undefined;
  const records = [body, ...Object.values(body).filter(isRecord)];
  const values = records.map((record) => (Object.hasOwn(record, name) ? record[name] : undefined));
  return values.find((value) => value !== undefined && value !== null && value !== '');
}
