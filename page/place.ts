import type { ListName } from '../src/emulator/page/kinds.ts';
import { isListName } from './kinds.tsx';

/** Where the address leads. */
export interface Place {
  name: 'overview' | 'controls' | 'search' | 'unknown' | ListName;
  list: ListName | undefined;
  /** Of a record. */
  id: string | undefined;
  /** Of a search. */
  text: string | undefined;
}

export function placeOf(hash: string): Place {
  const place: Place = { name: 'unknown', list: undefined, id: undefined, text: undefined };
  // A link that brings a token leads to the overview.
  if (hash.startsWith('#token=')) return { ...place, name: 'overview' };
  const [name = '', rest = '', ...more] = hash.replace(/^#\/?/, '').split('/');
  const word = decoded(rest);
  if (more.length > 0 || word === undefined) return place;
  if (isListName(name)) return { ...place, name, list: name, id: word || undefined };
  if (name === 'search' && word !== '') return { ...place, name, text: word };
  if (word !== '') return place;
  if (name === '' || name === 'overview') return { ...place, name: 'overview' };
  return name === 'controls' ? { ...place, name } : place;
}

/** The text of a part of an address; `undefined` where it is malformed. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
