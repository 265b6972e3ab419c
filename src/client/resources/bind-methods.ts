/**
 * Binds the methods of an object to it, so that each also works by itself: `const { create } = payments.transfers`. The
 * bound methods are not enumerable, so they are not printed.
 */
export function bindMethods(target: object): void {
  for (
    let prototype: object = Object.getPrototypeOf(target);
    prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      // A method of a derived class comes before the one that it replaces.
      if (typeof value !== 'function' || name === 'constructor' || Object.hasOwn(target, name)) continue;
      Object.defineProperty(target, name, {
        value: value.bind(target),
        configurable: true,
        writable: true,
      });
    }
  }
}
