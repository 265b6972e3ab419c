import type { SignedWebhook } from '../../webhooks/signing/options.ts';
import { signWebhook } from '../../webhooks/signing/sign.ts';
import { eventWire } from '../dialect/events.ts';
import type { EmulatorEvent } from '../service/records/index.ts';
import type { World } from '../state/world.ts';

/** Signs events as the dialect of the moment says. */
export class EventSigner {
  readonly #world: World;
  readonly #secret: string;
  readonly #given: string | undefined;
  #made: Promise<CryptoKeyPair> | undefined;

  constructor(world: World, { secret, privateKey }: { secret: string; privateKey?: string | undefined }) {
    this.#world = world;
    this.#secret = secret;
    this.#given = privateKey;
  }

  /** Signed by real time, whatever the emulator's clock says: the receiver compares it with its own clock. */
  async sign(event: EmulatorEvent): Promise<SignedWebhook> {
    const { dialect } = this.#world;
    const wire = eventWire(dialect, event);
    if (dialect.webhookScheme === 'standard-webhooks') {
      return signWebhook(wire, { standardWebhooks: { secret: this.#secret } });
    }
    const privateKey = this.#given ?? (await this.#keys()).privateKey;
    return signWebhook(wire, { jwtBearer: { privateKey } });
  }

  /** The public key of the key pair that was made, as PEM; `undefined` where a private key was given. */
  async publicKey(): Promise<string | undefined> {
    if (this.#given !== undefined) return undefined;
    const { publicKey } = await this.#keys();
    const bytes = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey));
    const base64 = btoa(String.fromCharCode(...bytes));
    return `-----BEGIN PUBLIC KEY-----\n${base64.replace(/(.{64})(?=.)/g, '$1\n')}\n-----END PUBLIC KEY-----\n`;
  }

  #keys(): Promise<CryptoKeyPair> {
    this.#made ??= crypto.subtle.generateKey(
      {
        name: 'RSASSA-PKCS1-v1_5',
        modulusLength: 2048,
        publicExponent: new Uint8Array([1, 0, 1]),
        hash: 'SHA-256',
      },
      true,
      ['sign', 'verify'],
    );
    return this.#made;
  }
}
