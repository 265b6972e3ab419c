/**
 * What ky makes of a platform for every call, as light as its one caller allows. The attempt travels beside ky's Request
 * (`ky-transport.ts`), so nobody reads that Request, its headers or its signal; the platform's own would cost more than
 * the rest of ky, and load Node's whole `fetch` at import. `tools/bundled-ky.ts` puts this in the place of `globalThis`
 * within ky; without it ky works as well, only slower.
 */
export const kyPlatform = {
  Headers: class {
    /** Nothing: no header passes through ky. */
    entries(): [] {
      return [];
    }

    has(): boolean {
      return false;
    }
  },

  Request: class {
    readonly url: string;
    readonly method: string;

    constructor(url: string, { method }: { method: string }) {
      this.url = url;
      this.method = method;
    }
  },

  // ky compares with this one; it makes none.
  get Response(): typeof Response {
    return globalThis.Response;
  },

  get AbortSignal(): undefined {
    // Without it ky makes no AbortController for a call: the limits are ours (`time-limits.ts`).
    return undefined;
  },
};
