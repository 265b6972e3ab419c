import { peek } from '../../shared/errors/foreign-values.ts';
import { sortedIssues } from '../call/read-response.ts';
import type { CheckedResponse, Operation } from '../call/types.ts';

/** The part of the Standard Schema interface (version 1) that the client needs to validate a value. */
export interface StandardSchema<Output, Input = unknown> {
  /** The members of the interface. */
  readonly '~standard': {
    /** Checks a value. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** The types, for the compiler only. */
    readonly types?:
      | {
          /** The type of a value before validation. */
          readonly input: Input;
          /** The type of a value after validation. */
          readonly output: Output;
        }
      | undefined;
  };
}

/** The result of a validation by a Standard Schema. */
type StandardResult<Output> =
  | {
      /** The output of the schema for a valid value. */
      readonly value: Output;
      /** Undefined for a valid value. */
      readonly issues?: undefined;
    }
  | {
      /** The reasons why the value is invalid. */
      readonly issues: ReadonlyArray<{
        /** The steps from the value to the field that is wrong; absent for the value itself. */
        readonly path?:
          | ReadonlyArray<
              | PropertyKey
              | {
                  /** One step of the path. */
                  readonly key: PropertyKey;
                }
            >
          | undefined;
      }>;
    };

/** Returns true for a Standard Schema: an object, or a function with its members. */
export function isStandardSchema(value: unknown): boolean {
  return typeof peek(peek(value, '~standard'), 'validate') === 'function';
}

/** A response that no schema checks: the caller's type argument is the only word on it. */
export const unchecked = <T>(value: unknown): CheckedResponse<T> => ({
  value: value as T,
  fatal: [],
  minor: [],
});

/**
 * Checks a response by a schema of the caller's. Without `essential` paths every issue throws; with them, only an
 * issue there does, and the others are drift: the value is then what was received. It is asked in every mode.
 */
export function checkedBy<T>(
  schema: StandardSchema<T>,
  essential?: readonly string[],
): Operation<T>['check'] {
  return async (value, mode) => {
    try {
      const result = await schema['~standard'].validate(value);
      if (result.issues === undefined) return { value: result.value, fatal: [], minor: [], isPassed: true };
      const issues = result.issues.map(({ path }) => ({
        path: (path ?? []).map(segmentText),
        code: 'schema',
      }));
      const { fatal, minor } = sortedIssues(issues, mode, essential);
      return { ...unchecked<T>(value), fatal, minor, unproven: fatal[0] };
    } catch {
      // The caller's code failed, but what was asked has been done: that must not be lost in a foreign error.
      const unproven = { path: '', code: 'schema_failed' };
      return { ...unchecked<T>(value), fatal: [unproven], unproven };
    }
  };
}

const segmentText = (segment: PropertyKey | { key: PropertyKey }) =>
  String(typeof segment === 'object' ? segment.key : segment);
