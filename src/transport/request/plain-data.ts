import { InvalidRequestError } from '../../errors/index.ts';
import { kindOf } from '../kind.ts';

/** A copy, and the first field in it that JSON cannot carry. */
export interface Copied {
  readonly copy: PlainData;
  /** A NaN, an infinity or a BigInt. They stay in the copy, so that a rule for the field can say what it must be. */
  readonly unsendable: InvalidRequestError | undefined;
}

/** What JSON can carry: a tree of own copies, without prototypes, so that nothing outside of it can change it. */
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
 * @param root - What to call the value itself in an error, such as `params`.
 * @param prefix - What stands before the path of a field in an error; empty for parameters.
 * @param operation - The operation, for errors.
 * @throws InvalidRequestError naming the field.
 */
export function plainCopy(value: unknown, root: string, prefix: string, operation: string): Copied {
  const copier = new Copier(root, prefix, operation);
  const copy = copier.copy(value);
  return { copy, unsendable: copier.unsendable };
}

class Copier {
  readonly #root: string;
  readonly #prefix: string;
  readonly #operation: string;
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
          this.unsendable ??= this.#fault(`must be finite, but is ${kindOf(value)}`);
        return value;
      case 'bigint':
        this.unsendable ??= this.#fault('is a BigInt, which JSON cannot carry');
        return value;
      case 'object':
        return value === null ? null : this.#enter(value);
      default:
        return this.#fail(`is ${kindOf(value)}, which JSON cannot carry`);
    }
  }

  #enter(value: object): PlainData {
    this.#values += 1;
    if (this.#values > maxValues) this.#fail(`holds more than ${maxValues} objects`);
    if (this.#ancestors.has(value)) this.#fail('refers to itself');
    if (this.#ancestors.size >= maxDepth) this.#fail(`is nested deeper than ${maxDepth} levels`);
    this.#ancestors.add(value);
    const copy = this.#guard(() => this.#copyObject(value));
    this.#ancestors.delete(value);
    return copy;
  }

  #copyObject(value: object): PlainData {
    if (isDate(value)) return this.#copyDate(value);
    const fault = instanceFault(value);
    if (fault !== undefined) this.#fail(fault);
    return Array.isArray(value) ? this.#copyList(value) : this.#copyFields(value);
  }

  #copyDate(date: Date): string {
    const time = Date.prototype.getTime.call(date);
    return Number.isNaN(time) ? this.#fail('is an invalid date') : new Date(time).toISOString();
  }

  #copyFields(value: object): PlainData {
    const copy: { [field: string]: PlainData } = Object.create(null);
    const keys = Object.keys(value);
    if (Object.getOwnPropertyNames(value).length !== keys.length) this.#refuseHidden(value, keys);
    for (const key of keys) {
      this.#path.push(key);
      if (key === '__proto__') this.#fail('is a key that could pollute a prototype; remove it');
      const item = this.copy(this.#guard((): unknown => Reflect.get(value, key)));
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
    this.#fail('is not enumerable, so that JSON would leave it out');
  }

  #copyList(list: readonly unknown[]): PlainData {
    const { length } = list;
    const copy = Array.from({ length }, (_none, index) => {
      this.#path.push(index);
      const item = this.copy(this.#guard((): unknown => list[index]));
      if (item === undefined) this.#fail('is missing, which JSON cannot carry');
      this.#path.pop();
      return item;
    });
    if (Object.keys(list).length > length)
      this.#fail('is a list with fields of its own, which JSON cannot carry');
    // A polluted prototype must not get to rewrite the list.
    if ('toJSON' in copy) Object.defineProperty(copy, 'toJSON', {});
    return copy;
  }

  /** Runs code of the caller's, such as a getter, so that whatever it throws names the field. */
  #guard<T>(read: () => T): T {
    try {
      return read();
    } catch (thrown) {
      if (thrown instanceof InvalidRequestError) throw thrown;
      return this.#fail('cannot be read', thrown);
    }
  }

  #fail(why: string, cause?: unknown): never {
    throw this.#fault(why, cause);
  }

  #fault(why: string, cause?: unknown): InvalidRequestError {
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

/** Recognizes dates of other realms, too. */
const isDate = (value: object): value is Date => Object.prototype.toString.call(value) === '[object Date]';

/**
 * Tells why copying the own fields of an object would lose something; undefined when nothing is lost. Plain objects and
 * lists pass, and so do instances of classes that hold their data in own fields and have nothing but methods beside.
 */
export function instanceFault(value: object): string | undefined {
  if (!Array.isArray(value)) {
    const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
    if (tag !== 'Object') return `is ${/^[AEIOU]/.test(tag) ? 'an' : 'a'} ${tag}, which JSON cannot carry`;
  }
  if (
    Object.getOwnPropertySymbols(value).some((key) => Object.prototype.propertyIsEnumerable.call(value, key))
  )
    return 'has a symbol as a key, which JSON cannot carry';
  const own = Object.getOwnPropertyDescriptor(value, 'toJSON');
  if (own?.enumerable === false && typeof own.value === 'function') return convertsItself;
  for (let prototype = parentOf(value); prototype !== null; prototype = parentOf(prototype)) {
    const fault = prototypeFault(prototype);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const convertsItself =
  'is an object with a `toJSON` method, so that its fields are not what would be sent; convert it to plain data first';

/** The next prototype, as long as it belongs to a class: what all objects or all lists inherit is no data. */
function parentOf(value: object): object | null {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === null || isBuiltIn(prototype) ? null : prototype;
}

/** Whether a prototype is the `Object.prototype` or the `Array.prototype` of any realm. */
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
