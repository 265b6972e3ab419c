import { Page, PagePromise } from '../pagination/page.ts';
import type { LoadedPage } from '../pagination/strategy.ts';
import { APIPromise, type PendingCall } from '../transport/api-promise.ts';

/**
 * Creates what a method of the client returns, for a fake client in a unit test.
 *
 * @param value - The data, or an error for the call to fail with, such as a `ConflictError`.
 * @param requestId - The idempotency key that the promise shows.
 *
 * @example
 * ```ts
 * const fake: Pick<PaymentsClient, 'kyc'> = {
 *   kyc: { retrieve: (userId) => fakeResult({ userId, kycInfo: { type: 'individual' } }) },
 * };
 * ```
 */
export function fakeResult<T>(value: T, requestId?: string): APIPromise<Exclude<T, Error>>;
export function fakeResult(value: unknown, requestId?: string): APIPromise<unknown> {
  return new APIPromise(pending(value, requestId));
}

/**
 * Creates what a list of the client returns, with one page, for a fake client in a unit test.
 *
 * @param items - The items, or an error for the list to fail with.
 *
 * @example
 * ```ts
 * const fake = { approvals: { list: () => fakeList([approval]) } };
 * ```
 */
export function fakeList(items: Error): PagePromise<never>;
export function fakeList<T>(items: readonly T[]): PagePromise<T>;
export function fakeList(items: readonly unknown[] | Error): PagePromise<unknown> {
  if (items instanceof Error) return new PagePromise(pending<Page<unknown>>(items));
  const page: LoadedPage<unknown> = { items, body: { items }, query: {}, headers: () => new Headers() };
  const noMore = (): never => {
    throw new TypeError('A fake list has one page.');
  };
  const paging = () => ({ hasNext: false, advance: noMore });
  return new PagePromise(pending(new Page({ page, items }, { operation: 'fake', paging, load: noMore })));
}

function pending<T>(value: T | Error, requestId?: string): PendingCall<T> {
  const read = (): T => {
    if (value instanceof Error) throw value;
    return value;
  };
  const toResponse = () => Response.json(read());
  return { operation: 'fake', requestId, answer: Promise.resolve({ attempts: 1, toResponse, read }) };
}

/**
 * A client or a namespace as code sees it that only awaits calls and iterates over lists: methods return plain promises
 * and plain async iterables. Both a client and a fake made of `async` functions and generators are assignable to it.
 *
 * @example
 * ```ts
 * async function firstName(payments: Fakeable<Pick<PaymentsClient, 'kyc'>>, userId: string) {
 *   const { kycInfo } = await payments.kyc.retrieve(userId);
 *   return kycInfo.firstName;
 * }
 *
 * await firstName({ kyc: { retrieve: async (userId) => ({ userId, kycInfo: { firstName: 'Amina' } }) } }, 'u1');
 * ```
 */
export type Fakeable<T> = { [Name in keyof T]: FakeableMember<T[Name]> };

type FakeableMember<Member> = Member extends (...parameters: infer Parameters) => infer Result
  ? (...parameters: Parameters) => FakeableResult<Result>
  : Member extends object
    ? Fakeable<Member>
    : Member;

type FakeableResult<Result> =
  Result extends PagePromise<infer Item>
    ? AsyncIterable<Item>
    : Result extends Promise<infer Value>
      ? Promise<Value>
      : Result;
