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
