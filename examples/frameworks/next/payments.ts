import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { PaymentsClient } from 'stablecoin-payments';

let shared: PaymentsClient | undefined;

/**
 * Returns the client that uses the token of this server. Its settings come from the environment. `next build` also runs
 * the pages, so set `PAYMENTS_BASE_URL` and any text as `PAYMENTS_ACCESS_TOKEN` there. A build sends nothing.
 */
export function payments(): PaymentsClient {
  shared ??= new PaymentsClient();
  return shared;
}

/** Returns a client for one request that uses the token of the user. A client keeps its token: never share it between users. */
export function paymentsOfUser(): PaymentsClient {
  return payments().withOptions({ accessToken: tokenOfUser });
}

/** The errors of `cookies` and `redirect` are signals for Next.js. The client passes them on. */
async function tokenOfUser(): Promise<string> {
  const session = (await cookies()).get('session')?.value;
  if (session === undefined) redirect('/login');
  return session; // in production, look the token up in the session
}
