/** Builds a value at the first call and returns the same one afterwards. Building every schema would slow each start. */
/* @__NO_SIDE_EFFECTS__ */
export function lazy<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
