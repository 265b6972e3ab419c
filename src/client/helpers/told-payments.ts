import type { PaymentResult } from '../../shared/outcome/payment-record.ts';

/** A payment that was told: its result, and whether an id is that of its transfer. */
export interface ToldPayment {
  readonly result: PaymentResult | undefined;
  readonly isOf: (id: string) => boolean;
}

/** The two hashes of a text. The second is never 0, which marks a free place. */
type Hashes = readonly [number, number];

/** A payment takes four words: the hashes of its key and of its transfer's id. The last word ends in the result. */
const WORDS = 4;

/**
 * Remembers payments in 16 bytes each. Two keys share their 63 bits once in some ten million days of a million payments.
 *
 * The shelves grow one by one: a single table would be in memory twice while it grows.
 */
export class ToldPayments {
  readonly #shelves = new Map<number, Shelf>();

  /** Remembers a payment, or its new result. */
  put(key: string, id: string, result: PaymentResult | undefined): void {
    const hashes = hashesOf(key);
    const name = hashes[0] % 256;
    const shelf = this.#shelves.get(name) ?? new Shelf();
    this.#shelves.set(name, shelf);
    shelf.put(hashes, hashesOf(id), result);
  }

  get(key: string): ToldPayment | undefined {
    const hashes = hashesOf(key);
    return this.#shelves.get(hashes[0] % 256)?.get(hashes);
  }

  /** Returns the results of the payments that have one of these transfers, by the transfer's id. */
  resultsOf(ids: Iterable<string>): ReadonlyMap<string, PaymentResult | undefined> {
    const wanted = Map.groupBy(ids, (id) => hashesOf(id)[0]);
    const found = new Map<string, PaymentResult | undefined>();
    if (wanted.size > 0)
      for (const shelf of this.#shelves.values())
        for (const { first, isOf, result } of shelf.payments())
          for (const id of wanted.get(first) ?? []) if (isOf(id)) found.set(id, result);
    return found;
  }
}

class Shelf {
  #words = new Uint32Array(16 * WORDS);
  #count = 0;

  put(key: Hashes, [three, four]: Hashes, result: PaymentResult | undefined): void {
    if (this.#count * WORDS > this.#words.length * 0.8) this.#grow();
    const place = this.#placeOf(key);
    if (this.#words[place + 1] === 0) this.#count += 1;
    this.#words.set([...key, three, withoutResult(four) + results.indexOf(result)], place);
  }

  get(key: Hashes): ToldPayment | undefined {
    const place = this.#placeOf(key);
    return this.#words[place + 1] === 0 ? undefined : this.#paymentAt(place);
  }

  *payments(): Generator<ToldPayment & { readonly first: number }> {
    for (let place = 0; place < this.#words.length; place += WORDS)
      if (this.#words[place + 1] !== 0) yield this.#paymentAt(place);
  }

  #paymentAt(place: number): ToldPayment & { readonly first: number } {
    const { [place + 2]: first = 0, [place + 3]: last = 0 } = this.#words;
    const isOf = (id: string) => {
      const [three, four] = hashesOf(id);
      return three === first && withoutResult(four) === withoutResult(last);
    };
    return { first, isOf, result: results[last % results.length] };
  }

  /** The place of a key, or the free one for it. */
  #placeOf([one, two]: Hashes): number {
    const words = this.#words;
    let place = (two % (words.length / WORDS)) * WORDS;
    while (words[place + 1] !== 0 && (words[place] !== one || words[place + 1] !== two))
      place = (place + WORDS) % words.length;
    return place;
  }

  #grow(): void {
    const words = this.#words;
    this.#words = new Uint32Array(Math.ceil((words.length / WORDS) * 1.4) * WORDS);
    for (let place = 0; place < words.length; place += WORDS) {
      const { [place]: one = 0, [place + 1]: two = 0, [place + 2]: three = 0, [place + 3]: last = 0 } = words;
      if (two !== 0) this.#words.set([one, two, three, last], this.#placeOf([one, two]));
    }
    // Frees it now: a collector sees only its handle, and would leave a hundred megabytes of these.
    words.buffer.transfer(0);
  }
}

const results: readonly (PaymentResult | undefined)[] = [undefined, 'paid', 'not-paid', 'check'];

/** The last word of a payment without the two bits of its result. */
const withoutResult = (word: number): number => word - (word % results.length);

/** Hashes a text with two multipliers, as cyrb53 does, and mixes the two. */
function hashesOf(text: string): Hashes {
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2_654_435_761);
    two = Math.imul(two ^ code, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(two ^ (two >>> 13), 3_266_489_909);
  two = Math.imul(two ^ (two >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return [one >>> 0, (two | 1) >>> 0];
}
