import { type ClientOptions, PaymentsClient } from 'stablecoin-payments';
import type { CreateUserParams, EmulatorState, FaultSpec, RequestRecord } from 'stablecoin-payments/emulator';

/** Where the suite runs, and what its platform lets a program know. */
export interface Surroundings {
  runtime: string;
  /** The emulator, with its own routes under `/_emulator`. */
  serviceUrl: string;
  /** A service that misbehaves: one kind of trouble per path. */
  troubleUrl: string;
  /** An address where nothing listens. */
  closedUrl: string;
  /** Whether the platform tells a refused connection from a lost one. Where it does not, the outcome is unknown. */
  knowsRefusals: boolean;
  /** Whether the platform sends a request again by itself when a kept connection breaks, and nothing can keep it from it. */
  repeatsByItself: boolean;
  /** Whether the platform lets a program name itself in `user-agent`. */
  namesItself: boolean;
}

export const token = 'eyJhbGciOiJIUzI1NiJ9.conformance';

/** One case's stage: the emulator as new, and the hands to set it with. */
export class Scene {
  readonly at: Surroundings;

  private constructor(at: Surroundings) {
    this.at = at;
  }

  static async open(at: Surroundings): Promise<Scene> {
    const scene = new Scene(at);
    await scene.control('POST', 'reset', {});
    return scene;
  }

  /** A client of the emulator. */
  client(options: ClientOptions = {}): PaymentsClient {
    return this.#clientAt(this.at.serviceUrl, options);
  }

  /** A client of the service that misbehaves in this way. */
  troubled(kind: string, options: ClientOptions = {}): PaymentsClient {
    return this.#clientAt(`${this.at.troubleUrl}/${kind}`, options);
  }

  /** A client that calls where nothing listens. */
  unreachable(options: ClientOptions = {}): PaymentsClient {
    return this.#clientAt(this.at.closedUrl, options);
  }

  #clientAt(baseUrl: string, options: ClientOptions): PaymentsClient {
    return new PaymentsClient({ baseUrl, accessToken: token, dangerouslyAllowBrowser: true, ...options });
  }

  async createUser(params: CreateUserParams = {}): Promise<string> {
    const user = await this.control('POST', 'users', params);
    return user.userId;
  }

  async inject(...faults: FaultSpec[]): Promise<void> {
    for (const fault of faults) await this.control('POST', 'faults', fault);
  }

  state(): Promise<EmulatorState> {
    return this.control('GET', 'state');
  }

  /** How often requests of an operation arrived, as the service saw it. */
  async arrivals(operation: string): Promise<number> {
    const { requests }: { requests: RequestRecord[] } = await this.control('GET', 'requests');
    return requests.filter((request) => request.operation === operation).length;
  }

  /** How often a path of the service that misbehaves was asked for. */
  async troubles(kind: string): Promise<number> {
    const response = await fetch(`${this.at.troubleUrl}/counts`);
    const counts: Record<string, number> = await response.json();
    return counts[kind] ?? 0;
  }

  // biome-ignore lint/suspicious/noExplicitAny: each of the emulator's routes answers with its own shape.
  async control(method: string, path: string, body?: unknown): Promise<any> {
    const response = await fetch(`${this.at.serviceUrl}/_emulator/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path}: the emulator answered ${response.status} ${await response.text()}`);
    return response.json();
  }
}
