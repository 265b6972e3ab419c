import { isLoopback } from '../../shared/loopback.ts';
import { type DoctorOptions, DoctorUsageError } from './options.ts';

type SandboxVariables = Readonly<Record<string, string | undefined>>;

/**
 * Refuses writes unless the host is this machine, the one of PAYMENTS_SANDBOX_URL, or the one of --sandbox-host. Nothing is
 * guessed from the words of an address or a token.
 */
export function requireSandbox(baseUrl: string, options: DoctorOptions, env: SandboxVariables): void {
  const why = whyNot(new URL(baseUrl), options, env);
  if (why !== undefined)
    throw new DoctorUsageError(`--sandbox-writes is refused. ${why} Nothing was created.`);
}

function whyNot(
  { host, hostname }: URL,
  { sandboxHost, yes }: DoctorOptions,
  env: SandboxVariables,
): string | undefined {
  if (env.PAYMENTS_ENVIRONMENT === 'production') return 'PAYMENTS_ENVIRONMENT is production.';
  if (hostOfAddress(env.PAYMENTS_PRODUCTION_URL) === host)
    return `PAYMENTS_PRODUCTION_URL has the host ${host}.`;
  if (sandboxHost !== undefined && ![host, hostname].includes(sandboxHost))
    return `--sandbox-host names ${sandboxHost}, but the base address has the host ${host}.`;
  if (sandboxHost === undefined && !isLoopback(hostname) && hostOfAddress(env.PAYMENTS_SANDBOX_URL) !== host)
    return `Nothing says that ${host} is a sandbox. If it is one, add --sandbox-host ${host}.`;
  return yes ? undefined : `It creates records at ${host}: add --yes if it may.`;
}

const hostOfAddress = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : URL.parse(address)?.host;
