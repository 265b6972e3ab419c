import type { ClientOptions, FetchLike, StandardSchema } from 'stablecoin-payments';
import { describe, expect, it, vi } from 'vitest';
import { clientOf, failure } from './support.ts';

const read = { method: 'GET', path: '/v2/x' } as const;

/** The data of a response with this text, or the code of what is wrong with it. */
async function dataOf(text: string): Promise<unknown> {
  const call = clientOf(async () => new Response(text), { retries: 0 }).request(read);
  const [{ code } = { code: 'none' }] = await call.then(
    () => [],
    async () => Object(await failure(call)).issues,
  );
  return code === 'none' ? { data: await call } : code;
}

describe('the JSON of a body', () => {
  it('is read; an empty body is undefined, and a text that is no JSON is itself', async () => {
    expect(await dataOf('{"a":[1]}')).toEqual({ data: { a: [1] } });
    expect(await dataOf('null')).toEqual({ data: null });
    for (const text of ['', ' ', '\r\n\t']) expect(await dataOf(text)).toEqual({ data: undefined });
    // "A read gives whatever came."
    for (const text of ['{', 'x', '<html>', '1 2']) expect(await dataOf(text)).toEqual({ data: text });
  });
});

describe('departures from a schema', () => {
  /** A schema that finds a departure at each of these paths. */
  const departing = (...paths: readonly (readonly string[])[]): StandardSchema<object> => ({
    '~standard': { validate: () => ({ issues: paths.map((path) => ({ path })) }) },
  });

  /** The paths that fail a call, and those that are only reported. */
  async function sorted(
    paths: readonly (readonly string[])[],
    essential: readonly string[] | undefined,
    responseValidation: ClientOptions['responseValidation'] = 'tolerant',
  ) {
    const reported: string[] = [];
    const client = clientOf(async () => Response.json({ id: 1 }), {
      responseValidation,
      hooks: { drift: ({ issues }) => void reported.push(...issues.map(({ path }) => path)) },
    });
    const call = client.request({ ...read, schema: departing(...paths), essential });
    const fatal = await call.then(
      () => [],
      async () => Object(await failure(call)).issues.map(({ path }: { path: string }) => path),
    );
    return { fatal, minor: reported.filter((path) => !fatal.includes(path)) };
  }

  it('are sorted by what they cost', async () => {
    const paths = [['id'], ['source', 'amount'], ['n']];
    const essential = ['id', 'source.amount'];
    expect(await sorted(paths, essential)).toEqual({ fatal: ['id', 'source.amount'], minor: [] });
    const all = { fatal: ['id', 'source.amount', 'n'], minor: [] };
    expect(await sorted(paths, essential, 'strict')).toEqual(all);
    expect(await sorted(paths, undefined)).toEqual(all);
  });

  it.each([
    [[], ['id'], true],
    [['id'], ['id'], true],
    [['source'], ['source.amount'], true],
    [['source', 'amount'], ['id', 'source.amount'], true],
    [['source', 'amount', 'x'], ['source.amount'], false],
    [['source', 'other'], ['source.amount'], false],
    [['amount'], ['source.amount'], false],
    [['id'], [], false],
  ])('%j among %j is essential: %s', async (path, essential, expected) => {
    const { fatal, minor } = await sorted([path], essential);
    expect([fatal, minor]).toEqual(expected ? [[path.join('.')], []] : [[], [path.join('.')]]);
  });

  it.each([
    ['id', true],
    ['_id', true],
    ['field-name', true],
    ['a1', true],
    ['0', true],
    ['1234', true],
    ['12345', false],
    ['a12345', false],
    ['a1234', true],
    ['1a', false],
    ['-a', false],
    ['', false],
    ['a b', false],
    ['é', false],
    ['a@b', false],
    [' id', false],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
  ])('the segment %j may be shown: %s', async (segment, shown) => {
    expect((await sorted([['a', segment]], [])).minor).toEqual([`a.${shown ? segment : '*'}`]);
  });
});

describe('a body that is read', () => {
  const streamed = (status: number, ...chunks: readonly Uint8Array[]) => {
    const cancel = vi.fn();
    let count = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks[count++];
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
      cancel,
    });
    return { response: new Response(body, { status }), cancel };
  };
  const requested = (response: Response) => clientOf(async () => response, { retries: 0 }).request(read);
  const textOf = async (response: Response) => (await requested(response).asResponse()).text();

  it('is its text, also where a character is cut in two', async () => {
    const bytes = new TextEncoder().encode('"aéb"');
    expect(await requested(streamed(200, bytes.slice(0, 3), bytes.slice(3)).response)).toBe('aéb');
    expect(await textOf(new Response(null))).toBe('');
    const { response } = streamed(400, bytes.slice(1, 3));
    expect(await failure(requested(response))).toMatchObject({ status: 400, body: 'a\uFFFD' });
  });

  it('may be as long as the limit, and no longer', async () => {
    const half = new Uint8Array(5 * 1024 * 1024).fill(97);
    expect(await textOf(streamed(200, half, half).response)).toHaveLength(2 * half.length);
    const { response, cancel } = streamed(200, half, half, half, half);
    expect((await failure(requested(response))).message).toContain('larger than 10 MiB');
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('that breaks off says how, with its status', async () => {
    const broken = new Error('reset');
    const cut = (status: number) => {
      const body = new ReadableStream({ pull: (controller) => controller.error(broken) });
      return failure(requested(new Response(body, { status, headers: { 'x-a': 'b' } })));
    };
    expect(await cut(201)).toMatchObject({ name: 'ConnectionError', originalError: broken });
    const refused = await cut(403);
    expect(refused).toMatchObject({ status: 403, body: '' });
    expect(Object(refused).headers.get('x-a')).toBe('b');
  });

  it('must be that of a Response, or the error names the option `fetch`', async () => {
    const others = [{ headers: new Headers() }, { status: 200 }, { status: '200', headers: new Headers() }];
    const unread = [
      { status: 200, headers: {} },
      { status: 200, headers: new Headers(), body: {} },
      undefined,
    ];
    const given = (response: unknown) =>
      clientOf((async () => response) as unknown as FetchLike, { retries: 0 });
    for (const response of [...others, ...unread]) {
      expect(await failure(given(response).request(read))).toMatchObject({
        code: 'unreadable_response',
        outcome: 'unknown',
        message: expect.stringContaining('the `fetch` option gave a Response that cannot be read'),
      });
    }
    expect(await given({ status: 204, headers: new Headers() }).request(read)).toBeUndefined();
  });
});
