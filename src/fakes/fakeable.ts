import type { PagePromise } from '../pagination/page.ts';

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
