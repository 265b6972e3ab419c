import { InvalidRequestError } from '../../errors/index.ts';
import { kindOf } from '../../shared/values.ts';

/** A copy, and the first field in it that JSON cannot carry. */
export interface Copied {
  readonly copy: PlainData;
  /** A NaN, an infinity or a BigInt. They stay in the copy, so that a rule for the field can say what it must be. */
  readonly unsendable: InvalidRequestError | undefined;
}

/** A JSON value: a tree of own copies, without prototypes, so that no other code can change it. */
export type PlainData =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | readonly PlainData[]
  | { [field: string]: PlainData };

const maxDepth = 64;
/** A tree of shared branches can unfold to a size that no service takes, and that would block the process. */
const maxValues = 1_000_000;

/**
 * Copies a value of the caller's into plain data. Every own field is read exactly once, so that what is checked is
 * what is sent. What JSON would drop or change in silence is refused with the path of the field.
 *
 * @param value - The value.
 * @param root - The name of the value itself in an error, such as `params`.
 * @param prefix - The text before the path of a field in an error; empty for parameters.
 * @param operation - The operation, for errors.
 * @throws InvalidRequestError naming the field.
 */
export function plainCopy(value: unknown, root: string, prefix: string, operation: string): Copied {
  const copier = new Copier(root, prefix, operation);
  try {
    const copy = copier.copy(value);
    return { copy, unsendable: copier.unsendable };
  } catch (thrown) {
    // Code of the caller's, such as a getter, may throw anything.
    throw thrown instanceof InvalidRequestError ? thrown : copier.fault('cannot be read', thrown);
  }
}

class Copier {
  readonly #root: string;
  readonly #prefix: string;
  readonly #operation: string;
  /** Leads to the value that is being copied. */
  readonly #path: (string | number)[] = [];
  readonly #ancestors = new Set<object>();
  #values = 0;
  unsendable: InvalidRequestError | undefined;

  constructor(root: string, prefix: string, operation: string) {
    this.#root = root;
    this.#prefix = prefix;
    this.#operation = operation;
  }

  copy(value: unknown): PlainData {
    switch (typeof value) {
      case 'string':
      case 'boolean':
      case 'undefined':
        return value;
      case 'number':
        if (!Number.isFinite(value))
          this.unsendable ??= this.fault(`must be finite, but is ${kindOf(value)}`);
        return value;
      case 'bigint':
        this.unsendable ??= this.fault('is a BigInt, which JSON cannot carry');
        return value;
      case 'object':
        return value === null ? null : this.#copyObject(value);
      default:
        throw this.fault(`is ${kindOf(value)}, which JSON cannot carry`);
    }
  }

  #copyObject(value: object): PlainData {
    this.#values += 1;
    if (this.#values > maxValues) throw this.fault(`has more than ${maxValues} objects`);
    if (this.#ancestors.has(value)) throw this.fault('refers to itself');
    if (this.#ancestors.size >= maxDepth) throw this.fault(`is nested deeper than ${maxDepth} levels`);
    // Dates of other realms, too.
    const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
    if (tag === 'Date') return this.#copyDate(value);
    const fault = instanceFault(value, tag);
    if (fault !== undefined) throw this.fault(fault);
    this.#ancestors.add(value);
    const copy = Array.isArray(value) ? this.#copyList(value) : this.#copyFields(value);
    this.#ancestors.delete(value);
    return copy;
  }

  #copyDate(date: object): string {
    const time = Date.prototype.getTime.call(date);
    if (Number.isNaN(time)) throw this.fault('is an invalid date');
    return new Date(time).toISOString();
  }

  #copyFields(value: object): PlainData {
    const copy: { [field: string]: PlainData } = Object.create(null);
    const keys = Object.keys(value);
    if (Object.getOwnPropertyNames(value).length !== keys.length) this.#refuseHidden(value, keys);
    for (const key of keys) {
      this.#path.push(key);
      if (key === '__proto__') throw this.fault('is a key that could pollute a prototype; remove it');
      const item = this.copy(Reflect.get(value, key));
      if (item !== undefined) copy[key] = item;
      this.#path.pop();
    }
    return copy;
  }

  /** A field that is not enumerable would be left out of the JSON. Names that start with `__` belong to frameworks. */
  #refuseHidden(value: object, keys: readonly string[]): void {
    const hidden = Object.getOwnPropertyNames(value).find(
      (name) => !keys.includes(name) && !name.startsWith('__'),
    );
    if (hidden === undefined) return;
    this.#path.push(hidden);
    throw this.fault('is not enumerable, so that JSON would leave it out');
  }

  #copyList(list: readonly unknown[]): PlainData {
    const { length } = list;
    const copy = Array.from({ length }, (_none, index) => {
      this.#path.push(index);
      const item = this.copy(list[index]);
      if (item === undefined) throw this.fault('is missing, which JSON cannot carry');
      this.#path.pop();
      return item;
    });
    if (Object.keys(list).length > length)
      throw this.fault('is a list with fields of its own, which JSON cannot carry');
    // A polluted prototype must not get to rewrite the list.
    if ('toJSON' in copy) Object.defineProperty(copy, 'toJSON', {});
    return copy;
  }

  /** An error that names the value that is being copied. */
  fault(why: string, cause?: unknown): InvalidRequestError {
    const path = this.#path
      .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${key}`))
      .join('');
    const field = path === '' ? this.#root : `${this.#prefix}${path}`;
    return new InvalidRequestError(`${this.#operation}: \`${field}\` ${why}. Nothing was sent.`, {
      operation: this.#operation,
      field,
      cause,
    });
  }
}

/**
 * Tells why copying the own fields of an object would lose something; undefined when nothing is lost. Plain objects and
 * lists pass, and so do instances of classes that have their data in own fields and only methods in their prototypes.
 */
function instanceFault(value: object, tag: string): string | undefined {
  if (tag !== 'Object' && !Array.isArray(value))
    return `is ${/^[AEIOU]/.test(tag) ? 'an' : 'a'} ${tag}, which JSON cannot carry`;
  if (
    Object.getOwnPropertySymbols(value).some((key) => Object.prototype.propertyIsEnumerable.call(value, key))
  )
    return 'has a symbol as a key, which JSON cannot carry';
  const own = Object.getOwnPropertyDescriptor(value, 'toJSON');
  if (own?.enumerable === false && typeof own.value === 'function') return convertsItself;
  let prototype: object | null = Object.getPrototypeOf(value);
  // The methods that all objects and all lists inherit are not data.
  while (prototype !== null && prototype !== Object.prototype && !isBuiltIn(prototype)) {
    const fault = prototypeFault(prototype);
    if (fault !== undefined) return fault;
    prototype = Object.getPrototypeOf(prototype);
  }
  return undefined;
}

const convertsItself =
  'is an object with a `toJSON` method, so that its fields are not what would be sent; convert it to plain data first';

/** Returns true if a prototype is the `Object.prototype` or the `Array.prototype` of any realm. */
const isBuiltIn = (prototype: object): boolean =>
  Array.isArray(prototype)
    ? Object.hasOwn(prototype, 'copyWithin')
    : Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');

function prototypeFault(prototype: object): string | undefined {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === 'toJSON') return convertsItself;
    // What has a getter or a setter has no value here.
    if (typeof value !== 'function')
      return `inherits \`${name}\`, which would be lost; convert it to plain data first`;
  }
  return undefined;
}
