/** A field that a request got wrong, by its path in the body, the query or the address. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** A refusal that becomes an error answer. The shapes of 401, 404 and 500 are the spec's; the others follow the 404's. */
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

  body(): Record<string, unknown> {
    return problemBody(this.status, this.code, this.message, this.fields);
  }
}

/** The error body of a status, in the shape that the spec gives that status. */
export function problemBody(
  status: number,
  code: string,
  message: string,
  fields?: readonly FieldProblem[],
): Record<string, unknown> {
  if (status === 401 || status >= 500) return { code: status, error: code, errorDetails: message };
  return { status: 'error', error: { code, message, ...(fields === undefined ? {} : { fields }) } };
}

export function invalid(fields: readonly FieldProblem[]): ServiceProblem {
  const message = fields.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new ServiceProblem(400, 'INVALID_REQUEST', message, { fields });
}

export function invalidField(field: string, message: string): ServiceProblem {
  return invalid([{ field, message }]);
}

export function notFound(noun: string, id: string): ServiceProblem {
  const code = `${noun.toUpperCase().replaceAll(' ', '_')}_NOT_FOUND`;
  return new ServiceProblem(404, code, `There is no ${noun} with the id ${shown(id)}`);
}

/** An id as it may stand in a message: short and printable, whatever a caller put into the address. */
export function shown(text: string): string {
  const printable = text.replace(/[^\x21-\x7e]/g, '?');
  return printable.length > 64 ? `${printable.slice(0, 61)}...` : printable;
}
