/** The prototypes of an object, the nearest first, without `Object.prototype`: nothing of it counts. */
export function prototypesOf(value: object): readonly object[] {
  const outer: unknown = Object.getPrototypeOf(value);
  const isEnd = typeof outer !== 'object' || outer === null || outer === Object.prototype;
  return isEnd ? [] : [outer, ...prototypesOf(outer)];
}

/**
 * Returns true for a name that an object has through a prototype alone: a getter or a method of a class, or what
 * `Object.create` was given. No getter is called.
 */
export const isInherited = (value: object, name: string): boolean =>
  !Object.hasOwn(value, name) && prototypesOf(value).some((outer) => Object.hasOwn(outer, name));

/** The end of a sentence about a name that would be dropped. A spread alone would drop it, too. */
export const inheritedWhy = (name: string): string =>
  `comes from a class or another prototype and not from the object itself, so it would be dropped. Give plain fields: \`{ ...values }\` copies only those of the object itself, so add this one by its name: \`{ ...values, ${name}: values.${name} }\``;
