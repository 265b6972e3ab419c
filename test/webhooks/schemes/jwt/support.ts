import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { moment, verification } from '../../support.ts';

export const body = '{"eventType":"A.B","eventId":"evt_1","data":{"n":[1,{"m":null}]}}';
export const first = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const second = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
export const jwk = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more });
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWT made with node:crypto alone. */
export function token(claims: unknown, header: object = {}, key = first.privateKey): string {
  const content = `${part({ alg: 'ES256', ...header })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

export const lasting = { exp: moment + 1_000_000 };
export const delivery = (jwt: string, seconds = moment, text = body) =>
  verification(text, { authorization: `Bearer ${jwt}` }, { now: seconds * 1000 });
