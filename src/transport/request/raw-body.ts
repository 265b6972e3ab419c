/** A body that is sent as it is: not JSON. Its bytes are taken once, so that every attempt sends the same ones. */
export class RawBody {
  readonly content: string | Uint8Array<ArrayBuffer>;
  /** With the boundary of a multipart body. */
  readonly contentType: string;
  /** Stands for the content where two bodies are compared: a multipart body has another boundary each time. */
  readonly likeness: string;

  constructor(content: string | Uint8Array<ArrayBuffer>, contentType: string, likeness: string) {
    this.content = content;
    this.contentType = contentType;
    this.likeness = likeness;
  }

  /** Bodies hold what must not be printed. */
  toJSON(): string {
    return `[${this.contentType}]`;
  }
}
