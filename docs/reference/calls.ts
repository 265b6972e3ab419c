/**
 * What every method takes and returns: call options, promises, pages, and requests to other operations.
 *
 * ```ts
 * const { data, response, attempts } = await payments.kyc.retrieve(userId, { timeout: 5_000 }).withResponse();
 * ```
 *
 * @module calls
 */
export {
  APIPromise,
  type Api,
  type CustomList,
  type CustomRequest,
  Page,
  PagePromise,
  type QueryValue,
  type RequestOptions,
  type RetrySafety,
  type StandardSchema,
  type WithResponse,
} from '../../src/client/index.ts';
