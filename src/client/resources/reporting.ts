import { type MetricResults, metricResultsOf } from '../../shared/service/metrics.ts';
import type { APIPromise } from '../call/api-promise.ts';
import type { RequestOptions } from '../call/call-options.ts';
import { bySchema } from '../call/read-response.ts';
import type { Transport } from '../call/transport.ts';
import type { Operation } from '../call/types.ts';
import { bindMethods } from './bind-methods.ts';

const retrieveResults = {
  name: 'reporting.retrieveResults',
  method: 'GET',
  path: '/v2/reporting/metrics/{id}/results',
  retrySafety: 'read',
} as const;

/** Reporting: saved metrics, executed on demand. */
export class Reporting {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /**
   * Executes a saved metric and returns its dataset, one item per period and combination of breakdowns.
   *
   * Retried after every transient failure.
   *
   * Spec: GET /v2/reporting/metrics/\{id\}/results.
   *
   * @typeParam Breakdown - Names of the metric's breakdowns, such as `'transactionType'`.
   * @typeParam Value - Names of the metric's values, such as `'grossVolume'`.
   * @param id - The saved metric's id.
   * @param options - Limits, retries, headers, or token. The service documents no query parameters; `query` sends your own.
   * @throws NotFoundError when the metric does not exist.
   *
   * @example
   * ```ts
   * const { data } = await payments.reporting.retrieveResults<'transactionType', 'grossVolume'>(metricId);
   * for (const { periodStart, transactionType, grossVolume } of data) console.log(periodStart, transactionType, grossVolume);
   * ```
   */
  retrieveResults<Breakdown extends string = never, Value extends string = never>(
    id: string,
    options?: RequestOptions,
  ): APIPromise<MetricResults<Breakdown, Value>> {
    const operation: Operation<MetricResults<Breakdown, Value>> = {
      ...retrieveResults,
      check: bySchema(metricResultsOf<Breakdown, Value>),
      essential: ['status', 'data'],
      identity: { id: ['metricId', 'metadata.metricId', 'metadata.id'] },
    };
    return this.#transport.call(operation, { path: { id } }, options);
  }
}
