import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The other side of the wire, in a process of its own. */
export interface ServiceProcess {
  /** Of the server that has the page, the troubles and the emulator behind it. */
  origin: string;
  /** Of the emulator alone. */
  serviceUrl: string;
  closedUrl: string;
  stop(): void;
}

export async function startService(project: string): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['service.mjs'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    return { ...JSON.parse(line), stop: () => child.kill() };
  }
  throw new Error('The service did not start.');
}
