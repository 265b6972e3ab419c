/** A body that is sent unchanged, not as JSON. Its bytes are taken once, so that every attempt sends the same ones. */
export class RawBody {
  readonly content: Uint8Array<ArrayBuffer>;
  /** With the boundary of a multipart body. */
  readonly contentType: string;

  constructor(content: Uint8Array<ArrayBuffer>, contentType: string) {
    this.content = content;
    this.contentType = contentType;
  }
}
