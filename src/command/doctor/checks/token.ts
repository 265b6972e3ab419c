import { decodeJwt } from 'jose';

/** Says whether a token is over, or not valid yet, by its claims. Undefined for a token of another form. */
export function timeOfToken(
  token: string,
  now: number,
): { readonly what: string; readonly remedy: string } | undefined {
  const { exp, nbf } = claimsOf(token);
  const over = instantOf(exp);
  if (over !== undefined && over.getTime() <= now)
    return {
      what: `The token is over: its \`exp\` is ${over.toISOString()}`,
      remedy: 'Set PAYMENTS_ACCESS_TOKEN to a new one.',
    };
  const begin = instantOf(nbf);
  return begin === undefined || begin.getTime() <= now
    ? undefined
    : {
        what: `The token is not valid yet: its \`nbf\` is ${begin.toISOString()}`,
        remedy: 'Set PAYMENTS_ACCESS_TOKEN to one that is, and check the clock of this machine.',
      };
}

function claimsOf(token: string): { readonly exp?: unknown; readonly nbf?: unknown } {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}

function instantOf(seconds: unknown): Date | undefined {
  const date = new Date(typeof seconds === 'number' ? seconds * 1000 : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
