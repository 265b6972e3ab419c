import { generateKeyPairSync, type KeyObject } from 'node:crypto';

export const pem = (key: KeyObject): string =>
  key.export({ type: key.type === 'public' ? 'spki' : 'pkcs8', format: 'pem' }).toString();

export const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const ed25519 = generateKeyPairSync('ed25519');
