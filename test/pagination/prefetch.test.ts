import { PaymentsClient } from 'stablecoin-payments';
import { expect, test } from 'vitest';

/** A service of `pages` pages, which notes the order of requests and of the caller's work. */
function serviceOf(pages: number, order: string[], failing?: number) {
  return new PaymentsClient({
    baseUrl: 'http://localhost',
    accessToken: 'token',
    retries: 0,
    fetch: async (url) => {
      const page = Number(new URL(url).searchParams.get('cursor') ?? 0);
      order.push(`fetch ${page}`);
      if (page === failing)
        return Response.json({ code: 500, error: 'x', errorDetails: 'y' }, { status: 500 });
      const externalWallets = [
        { address: `0x${page}`, chain: 'C', name: 'n', referenceId: 'r', createdAt: 't' },
      ];
      return Response.json({
        count: 1,
        externalWallets,
        nextCursor: page + 1 < pages ? String(page + 1) : null,
      });
    },
  });
}

async function walk(
  payments: PaymentsClient,
  order: string[],
  prefetch: boolean,
  most = Number.POSITIVE_INFINITY,
) {
  let seen = 0;
  for await (const wallet of payments.externalWallets.list('u', {}, { prefetch })) {
    // The work of the caller takes a turn of the event loop, in which a prefetch can start.
    await new Promise((resolve) => setImmediate(resolve));
    order.push(`work ${wallet.address}`);
    seen += 1;
    if (seen >= most) break;
  }
}

test('with prefetch the next page is asked for before the current one is worked on', async () => {
  const order: string[] = [];
  await walk(serviceOf(3, order), order, true);
  expect(order).toEqual(['fetch 0', 'fetch 1', 'work 0x0', 'fetch 2', 'work 0x1', 'work 0x2']);
});

test('without prefetch it is asked for afterwards', async () => {
  const order: string[] = [];
  await walk(serviceOf(3, order), order, false);
  expect(order).toEqual(['fetch 0', 'work 0x0', 'fetch 1', 'work 0x1', 'fetch 2', 'work 0x2']);
});

test('a prefetched page that fails is thrown when its turn comes, and never when the walk is left before', async () => {
  const order: string[] = [];
  const payments = serviceOf(3, order, 1);
  await expect(walk(payments, order, true)).rejects.toMatchObject({ name: 'InternalServerError' });
  expect(order).toContain('work 0x0');
  await expect(walk(payments, order, true, 1)).resolves.toBeUndefined();
});
