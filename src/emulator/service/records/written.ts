/**
 * An object of the client's type as the emulator writes it: with every field, at every depth. A field that is new in the
 * client and that the emulator does not write does not compile.
 */
export type Written<T> = T extends string | number | boolean | null
  ? T
  : T extends readonly (infer Item)[]
    ? Written<Item>[]
    : T extends object
      ? { [Name in keyof T]-?: Written<Exclude<T[Name], undefined>> }
      : T;

/** A type with some of its fields replaced. */
export type With<T, Fields> = Omit<T, keyof Fields> & Fields;
