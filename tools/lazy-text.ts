/**
 * What stands for the platform's encoders in the build: they are made at their first use. jose makes some as it loads,
 * and jsdom under Jest has none. Only an option of esbuild is used (`inject`), so jose's source stays as published.
 */
export class TextEncoder {
  #own: globalThis.TextEncoder | undefined;

  encode(text?: string): Uint8Array {
    this.#own ??= new globalThis.TextEncoder();
    return this.#own.encode(text);
  }
}

export class TextDecoder {
  readonly #label: string | undefined;
  readonly #options: TextDecoderOptions | undefined;
  #own: globalThis.TextDecoder | undefined;

  constructor(label?: string, options?: TextDecoderOptions) {
    this.#label = label;
    this.#options = options;
  }

  decode(bytes?: AllowSharedBufferSource, options?: TextDecodeOptions): string {
    this.#own ??= new globalThis.TextDecoder(this.#label, this.#options);
    return this.#own.decode(bytes, options);
  }
}
