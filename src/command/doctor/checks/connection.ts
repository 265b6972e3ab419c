import { AuthenticationError, InvalidRequestError } from 'stablecoin-payments';
import { observe, type Surroundings } from '../observed-call.ts';
import { DoctorUsageError } from '../options.ts';
import { failureOf, typeOf } from './judge.ts';

/** Returns true if the service can be reached and accepts the token. Without that nothing else can be checked. */
export async function checkConnection(around: Surroundings): Promise<boolean> {
  const { client, options, wire, on } = around;
  const { error } = await observe(around, () => client.kyc.retrieve(options.userId));
  const status = wire.last?.status ?? 0;
  const type = typeOf(around);
  // The client did not send the request: the user id cannot stand in a path.
  if (error instanceof InvalidRequestError) throw new DoctorUsageError(error.message);
  const say = on('reachability');
  if (error !== undefined && status === 0 && !('issues' in error))
    say.failure(`The service cannot be reached. ${failureOf(error)}`);
  else if (error !== undefined && (type.endsWith('text/html') || ('issues' in error && type !== '')))
    say.failure(
      `The response is not one of the service (HTTP ${status})${type}. Check the base address, and what stands before the service: a firewall, a gateway or a proxy.`,
    );
  else if (status >= 300 && status < 400)
    say.failure(
      `The base address redirects (HTTP ${status}). The client follows no redirect: use the address that it leads to.`,
    );
  else {
    say.ok('The service responds.');
    if (!(error instanceof AuthenticationError)) return true;
    on('authentication').failure(
      'The service does not accept the token (HTTP 401). Check PAYMENTS_ACCESS_TOKEN, and that it belongs to this environment.',
    );
  }
  return false;
}
