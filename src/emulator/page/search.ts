import { uuidsIn } from '../http/request-ids.ts';
import type { World } from '../state/world.ts';

/** The shortest start of an id that a search takes. The page shows eight characters of an id. */
export const SHORTEST_START = 6;

/**
 * Returns a test for records: true if each word of the text is an amount in the record, part of a text in it, such as a
 * name or an e-mail address of its users, or the start of an id.
 */
export function searchFor(text: string, world: World): (record: unknown) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).map(testOf);
  return (record) => {
    const users = [...uuidsIn(JSON.stringify(record))].map((id) => world.users.peek(id)?.kycInfo ?? {});
    const people = users.map(({ firstName, lastName, businessName, email, phone }) => {
      return [firstName, lastName, businessName, email, phone];
    });
    const texts = [record, people].flatMap(textsIn);
    return words.length > 0 && words.every((matches) => texts.some(matches));
  };
}

const AMOUNT = /^\d[\d,]*(\.\d+)?$/;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

function testOf(word: string): (text: string) => boolean {
  const amount = AMOUNT.test(word) ? Number(word.replaceAll(',', '')) : undefined;
  return (text) => {
    if (ID.test(text)) return word.length >= SHORTEST_START && text.startsWith(word);
    if (amount === undefined) return text.includes(word);
    return text.split(' ').some((part) => part !== '' && Number(part) === amount);
  };
}

/** The texts and the numbers of a value, in lower case. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value).toLowerCase()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
