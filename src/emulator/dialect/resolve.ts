import { isRecord } from '../../shared/values.ts';
import { meantName } from '../reading/unknown-names.ts';
import { hexOf } from '../state/ids.ts';
import { DECISIONS, dialectBy, PRESETS } from './decisions.ts';
import type { Dialect } from './dialect.ts';

/**
 * Resolves a dialect to all of its decisions.
 *
 * @param dialect - A name, or single decisions over those of `extends` or of the seed `random`.
 * @returns Every decision.
 * @throws TypeError where a name or a decision is not one of the emulator's.
 */
export function resolveDialect(dialect: unknown = 'spec'): Dialect {
  if (typeof dialect === 'string') return preset(dialect, 'dialect');
  if (!isRecord(dialect)) throw notADialect('dialect');
  const { extends: base, random, ...given } = dialect;
  if (base !== undefined && random !== undefined) {
    throw new TypeError('dialect takes `extends` or `random`, not both');
  }
  const decisions = checkedDecisions(given);
  const resolved = {
    ...(random === undefined ? preset(base ?? 'spec', 'dialect.extends') : atRandom(random)),
    ...decisions,
  };
  // An opaque text makes no sense as a time.
  if (decisions.cursorParam === undefined && resolved.cursorStyle === 'opaque')
    resolved.cursorParam = 'cursor';
  if (resolved.cursorStyle === 'opaque' && resolved.cursorParam === 'createdBefore') {
    throw new TypeError('dialect.cursorParam "createdBefore" needs dialect.cursorStyle "createdAt"');
  }
  return resolved;
}

/**
 * Takes every decision at random, always the same for the same seed.
 *
 * @param seed - The seed of the decisions.
 * @returns Every decision.
 * @example
 * ```ts
 * import { createEmulator, randomDialect } from 'stablecoin-payments/emulator';
 *
 * const emulator = createEmulator({ dialect: randomDialect(7) });
 * ```
 */
export function randomDialect(seed: string | number): Dialect {
  return atRandom(seed);
}

function atRandom(seed: unknown): Dialect {
  if (typeof seed !== 'string' && !Number.isFinite(seed))
    throw new TypeError('dialect.random must be a text or a number');
  const dialect = dialectBy(({ random }, name) => {
    return random[Number.parseInt(hexOf(`dialect/${seed}/${name}`, 12), 16) % random.length];
  });
  if (dialect.cursorStyle === 'opaque') dialect.cursorParam = 'cursor';
  return dialect;
}

function preset(name: unknown, option: string): Dialect {
  const known = name === 'spec' || name === 'field' ? PRESETS[name] : undefined;
  if (known === undefined) throw notADialect(option);
  return { ...known };
}

function notADialect(option: string): TypeError {
  const values = option === 'dialect' ? '"spec", "field" or an object of decisions' : '"spec" or "field"';
  return new TypeError(`${option} must be ${values}`);
}

/** The decisions that were given, each within its choices. */
function checkedDecisions(given: Record<string, unknown>): Partial<Dialect> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [key, value] of entries) {
    const decision = Object.entries(DECISIONS).find(([name]) => name === key)?.[1];
    if (decision === undefined) {
      const meant = meantName(key, Object.keys(DECISIONS));
      throw new TypeError(
        `dialect.${key} is not a decision of the emulator${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      );
    }
    if (!decision.accepts(value)) throw new TypeError(`dialect.${key} must be ${decision.expected}`);
  }
  return structuredClone(Object.fromEntries(entries));
}
