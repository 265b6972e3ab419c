import { PaginationError, PaymentsClient } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';

/** A service whose pages of approvals come from the number of the request; after the last page the list is empty. */
function serviceOf(...pages: readonly string[]) {
  let requests = 0;
  const payments = new PaymentsClient({
    baseUrl: 'http://localhost',
    accessToken: 'token',
    responseValidation: 'off',
    fetch: async () => {
      const ids = [...(pages[requests] ?? '')];
      requests += 1;
      return Response.json({ success: true, count: 9, approvals: ids.map((id) => ({ id })) });
    },
  });
  return { payments, requests: () => requests };
}

async function walk({ payments }: ReturnType<typeof serviceOf>): Promise<string> {
  let seen = '';
  for await (const { id } of payments.approvals.list()) seen += id;
  return seen;
}

async function step({ payments }: ReturnType<typeof serviceOf>): Promise<string> {
  let page = await payments.approvals.list();
  let seen = '';
  for (;;) {
    seen += page.items.map(({ id }) => id).join('');
    if (!page.hasNextPage()) return seen;
    page = await page.nextPage();
  }
}

describe('a page by offset that brings nothing new', () => {
  it('may come three times in a walk, as records that are added at the front move the list', async () => {
    expect(await walk(serviceOf('ab', 'ab', 'bc', 'cd'))).toBe('abcd');
    expect(await walk(serviceOf('ab', 'ab', 'ab', 'bc', 'cd'))).toBe('abcd');
    expect(await walk(serviceOf('ab', 'ab', 'ab', 'ab', 'bc', 'cd'))).toBe('abcd');
  });

  it('ends a walk in an error when it comes a fourth time', async () => {
    const service = serviceOf('ab', 'ab', 'ab', 'ab', 'ab', 'bc', 'cd');
    await expect(walk(service)).rejects.toThrow(PaginationError);
    expect(service.requests()).toBe(5);
    await expect(walk(serviceOf('ab', 'ab', 'ab', 'ab', 'ab'))).rejects.toThrow(
      'approvals.list: the same items come again and again although the offset moved on, so the rest of the list cannot be reached. The list is not complete.',
    );
  });

  it('counts anew after a page that brings something', async () => {
    const pages = ['ab', 'ab', 'ab', 'ab', 'bc', 'bc', 'bc', 'cd'];
    expect(await walk(serviceOf(...pages))).toBe('abcd');
  });

  it('may come twice in a loop of nextPage, and no third time', async () => {
    expect(await step(serviceOf('ab', 'ab', 'cd'))).toBe('ababcd');
    expect(await step(serviceOf('ab', 'ab', 'ab', 'cd'))).toBe('abababcd');
    const service = serviceOf('ab', 'ab', 'ab', 'ab', 'cd');
    await expect(step(service)).rejects.toThrow(
      'approvals.list: the same items come again and again although the offset moved on',
    );
    expect(service.requests()).toBe(4);
    expect(await step(serviceOf('ab', 'ab', 'ab', 'cd', 'cd', 'cd', 'ef'))).toBe('abababcdcdcdef');
  });
});
