import { type KycInformation, kycInformation } from '../../shared/service/kyc.ts';
import type { APIPromise } from '../call/api-promise.ts';
import type { RequestOptions } from '../call/call-options.ts';
import { bySchema } from '../call/read-response.ts';
import type { Transport } from '../call/transport.ts';
import type { Operation } from '../call/types.ts';
import { bindMethods } from './bind-methods.ts';

const retrieveKyc: Operation<KycInformation> = {
  name: 'kyc.retrieve',
  method: 'GET',
  path: '/v2/users/{userId}/kyc',
  retrySafety: 'read',
  check: /* @__PURE__ */ bySchema(kycInformation),
  essential: ['userId', 'kycInfo'],
  identity: { userId: ['userId'] },
};

/** KYC: the service's records of persons and businesses. */
export class Kyc {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /**
   * Retrieves a user's KYC record. It is personal data: pass it through `redact` before you print it.
   *
   * Retried after every transient failure.
   *
   * Spec: GET /v2/users/\{userId\}/kyc.
   *
   * @param userId - The user.
   * @param options - Limits, retries, headers, or token for this call.
   * @throws NotFoundError when the user does not exist.
   *
   * @example
   * ```ts
   * const { kycInfo } = await payments.kyc.retrieve(userId);
   * console.log(redact(kycInfo));
   * ```
   */
  retrieve(userId: string, options?: RequestOptions): APIPromise<KycInformation> {
    return this.#transport.call(retrieveKyc, { path: { userId } }, options);
  }
}
