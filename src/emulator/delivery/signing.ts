import type { SignedWebhook } from '../../webhooks/signing/options.ts';
import { signWebhook } from '../../webhooks/signing/sign.ts';
import { eventWire } from '../dialect/present.ts';
import type { EmulatorEvent } from '../service/records/index.ts';
import type { World } from '../state/world.ts';

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

/** Signs events as the dialect of the moment says. */
export class EventSigner {
  readonly #world: World;
  readonly #secret: string;
  readonly #given: string | undefined;
  #making: Promise<string> | undefined;

  constructor(world: World, { secret, privateKey }: { secret: string; privateKey?: string | undefined }) {
    this.#world = world;
    this.#secret = secret;
    this.#given = privateKey;
  }

  /** Makes the key that the dialect needs, so that it can be stored before a delivery is signed with it. */
  async prepare(): Promise<void> {
    if (this.#world.dialect.webhookScheme !== 'standard-webhooks') await this.#privateKey();
  }

  /** Signed by real time, whatever the emulator's clock says: the receiver compares it with its own clock. */
  async sign(event: EmulatorEvent): Promise<SignedWebhook> {
    const { dialect } = this.#world;
    const wire = eventWire(dialect, event);
    if (dialect.webhookScheme === 'standard-webhooks') {
      return signWebhook(wire, { standardWebhooks: { secret: this.#secret } });
    }
    return signWebhook(wire, { jwtBearer: { privateKey: await this.#privateKey() } });
  }

  /** The public key of the private key that signs tokens, as PEM. */
  async publicKey(): Promise<string> {
    const { subtle } = crypto;
    const bytes = Uint8Array.from(
      atob((await this.#privateKey()).replace(/-----[^-]+-----|\s/g, '')),
      (unit) => unit.charCodeAt(0),
    );
    const privateKey = await subtle.importKey('pkcs8', bytes, RS256, true, ['sign']);
    const { kty, n, e } = await subtle.exportKey('jwk', privateKey);
    const publicKey = await subtle.importKey('jwk', { kty, n, e } as JsonWebKey, RS256, true, ['verify']);
    return pem('PUBLIC KEY', await subtle.exportKey('spki', publicKey));
  }

  async #privateKey(): Promise<string> {
    const known = this.#given ?? this.#world.webhookKey;
    if (known !== null) return known;
    this.#making ??= makePrivateKey();
    const made = await this.#making;
    this.#world.webhookKey ??= made;
    return this.#world.webhookKey;
  }
}

async function makePrivateKey(): Promise<string> {
  const { privateKey } = await crypto.subtle.generateKey(
    { ...RS256, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  );
  return pem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', privateKey));
}

function pem(label: string, key: ArrayBuffer): string {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(key)));
  return `-----BEGIN ${label}-----\n${base64.replace(/(.{64})(?=.)/g, '$1\n')}\n-----END ${label}-----\n`;
}
