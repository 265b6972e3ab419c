/**
 * What ky makes of a platform for every call, as light as its one caller allows. The attempt travels beside ky's Request
 * (`ky-transport.ts`), so nobody reads that Request, its headers or its signal; the platform's own would cost more than
 * the rest of ky, and load Node's whole `fetch`. `tools/bundled-ky.ts` puts this in the place of `globalThis` within ky;
 * without it ky works as well, only slower. There is no AbortController here: the limits are ours (`time-limits.ts`).
 */
export const kyPlatform = {
  /** Holds nothing: no header passes through ky. It is asked for one only where a prototype is polluted. */
  Headers: class {
    entries(): [] {
      return [];
    }

    has(): boolean {
      return false;
    }

    get(): null {
      return null;
    }

    set(): void {
      // Nobody reads it.
    }
  },

  Request: class {
    readonly url: string;
    readonly method: string;
    // Its own, whatever a prototype holds: ky cancels a body that it finds.
    readonly body = null;

    constructor(url: string, { method }: { method: string }) {
      this.url = url;
      this.method = method;
    }
  },

  /** Nothing is one of these: ky then looks at the tag, which every Response has. */
  Response: class {},
};
