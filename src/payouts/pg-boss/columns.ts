import * as z from 'zod/mini';
import { firstFault } from '../../shared/schema/fault.ts';
import { pathText } from '../../shared/schema/path-text.ts';
import { lazy } from '../../shared/schema/schema.ts';
import { jsonIn } from '../../shared/values.ts';

// The values of columns, in each form in which drivers give them. Of a flag there is one: text is no truth.

export const text = /* @__PURE__ */ lazy(() => z.string({ error: 'must be text' }));
export const maybeText = /* @__PURE__ */ lazy(() => z.nullable(text()));
export const flag = /* @__PURE__ */ lazy(() => z.boolean({ error: 'must be true or false' }));

/** A number, a bigint, a number as text, or a Date in place of its milliseconds. */
function numberFrom(value: unknown): number {
  if (typeof value === 'string')
    return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value) ? Number(value) : Number.NaN;
  if (value instanceof Date) return value.getTime();
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;
}

const numeric = (isRight: (value: number) => boolean, error: string) =>
  z.pipe(
    z.custom<unknown>((value) => isRight(numberFrom(value)), { error, params: { kind: 'type' } }),
    z.transform(numberFrom),
  );
export const whole = /* @__PURE__ */ lazy(() => numeric(Number.isSafeInteger, 'must be a whole number'));
export const time = /* @__PURE__ */ lazy(() => numeric(Number.isFinite, 'must be a number of milliseconds'));

/**
 * Text of JSON that the payouts wrote. The value is the one that was parsed, never zod's copy: an order is compared by its
 * text.
 */
export const json = <T>(schema: () => z.ZodMiniType<T>, read: (text: string) => unknown = jsonIn) =>
  z.pipe(
    text(),
    z.transform((written, context): T => {
      const value = read(written);
      const { error } = schema().safeParse(value);
      if (error !== undefined) {
        const { path, why } = firstFault(error.issues);
        const place = pathText(['JSON', ...path]);
        const message = `is not what payouts store: \`${place}\` ${why}. Something else has changed it: restore the row`;
        context.issues.push({ code: 'custom', message, input: written, params: { kind: 'rule' } });
      }
      // The schema's verdict gives it its type.
      return value as T;
    }),
  );

/** A word of a list to which a later release may add. */
export const openText = <Word extends string>() =>
  z.custom<Word>((value) => typeof value === 'string', { error: 'must be text', params: { kind: 'type' } });
