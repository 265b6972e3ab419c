/** The part of the Standard Schema interface (version 1) that is needed to check an answer. */
export interface StandardSchema<Output> {
  /** The schema's own face. */
  readonly '~standard': {
    /** Checks a value. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  };
}

/** What a Standard Schema says of a value. */
export type StandardResult<Output> =
  | {
      /** The value that passed, as the schema gives it. */
      readonly value: Output;
      /** Not with a value. */
      readonly issues?: undefined;
    }
  | {
      /** Why the value did not pass. */
      readonly issues: ReadonlyArray<{
        /** Where. */
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
