/** A field that a request got wrong, by its path in the body, the query or the address. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** A refusal that becomes an error response, in the shape that the dialect gives its status. */
export class ServiceProblem extends Error {
  override readonly name = 'ServiceProblem';
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldProblem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    extra: { fields?: readonly FieldProblem[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = extra.fields;
    this.headers = extra.headers ?? {};
  }
}

export function invalid(fields: readonly FieldProblem[]): ServiceProblem {
  const message = fields.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new ServiceProblem(400, 'FIELD_VALIDATION_ERROR', message, { fields });
}

export function invalidField(field: string, message: string): ServiceProblem {
  return invalid([{ field, message }]);
}

/** What has no `NOT_FOUND` of its own among the documented names. */
const NOT_FOUND = new Map([
  ['transfer', 'TRANSACTION_NOT_FOUND'],
  ['approval', 'TRANSACTION_NOT_FOUND'],
  ['metric', 'KEY_DOES_NOT_EXIST'],
]);

export function notFound(noun: string, id: string, hint = ''): ServiceProblem {
  const code = NOT_FOUND.get(noun) ?? `${noun.toUpperCase()}_NOT_FOUND`;
  return new ServiceProblem(404, code, `There is no ${noun} with the id ${printable(id)}${hint}`);
}

/** An id as it may stand in a message: short and printable, whatever a caller put into the address. */
export function printable(text: string): string {
  const ascii = text.replace(/[^\x21-\x7e]/g, '?');
  return ascii.length > 64 ? `${ascii.slice(0, 61)}...` : ascii;
}
