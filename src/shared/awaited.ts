import { InvalidRequestError } from './errors/index.ts';
import { isDroppedPromise } from './values.ts';

/**
 * Refuses a promise where a helper needs its result.
 *
 * @throws InvalidRequestError whose outcome is `unknown`: the promise may be a payment under way.
 */
export function refusePromise(helper: string, value: unknown): void {
  if (!isDroppedPromise(value)) return;
  throw new InvalidRequestError(
    `${helper} got a promise and not its result: the \`await\` is missing. Write \`${helper}(await …)\`. If the promise is a payment, the payment goes on.`,
    { outcome: 'unknown' },
  );
}
