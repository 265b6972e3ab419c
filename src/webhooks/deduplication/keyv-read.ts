interface Reader {
  get(key: string): unknown;
}

/** What is used of a Keyv instance to see the errors that it keeps to itself. */
interface Emitting extends Reader {
  emit(event: string, ...values: unknown[]): unknown;
  readonly store?: unknown;
}

interface Listening {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  off(event: 'error', listener: (error: unknown) => void): unknown;
}

/**
 * Reads a value and throws where the read failed. Keyv turns a failed read into `undefined`: Keyv 5 always, Keyv 6
 * where somebody listens to its errors. To a de-duplication store that would mean "never seen", and the event would be
 * handled twice.
 */
export async function readStrictly(store: Reader, key: string): Promise<unknown> {
  if (!isEmitting(store)) return store.get(key);
  const errors: unknown[] = [];
  const note = (error: unknown) => errors.push(error);
  // The same instance, but errors are thrown. The instance itself stays as its owner made it.
  const strict: Reader = Object.create(store, {
    throwOnErrors: { value: true },
    emit: {
      value(event: string, ...values: unknown[]) {
        if (event === 'error') throw values[0];
        return store.emit(event, ...values);
      },
    },
  });
  // Adapters that catch their own errors only emit them.
  const adapter = isListening(store.store) ? store.store : undefined;
  adapter?.on('error', note);
  try {
    const value = await strict.get(key);
    if (errors.length > 0) throw errors[0];
    return value;
  } finally {
    adapter?.off('error', note);
  }
}

const isEmitting = (store: Reader): store is Emitting =>
  'emit' in store && typeof store.emit === 'function' && 'store' in store;

const isListening = (adapter: unknown): adapter is Listening =>
  typeof adapter === 'object' &&
  adapter !== null &&
  'on' in adapter &&
  typeof adapter.on === 'function' &&
  'off' in adapter &&
  typeof adapter.off === 'function';
