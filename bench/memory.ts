import { evaluate } from './processes.ts';

/** Heap after a collection, in MB, after each tenth of the calls; a client that leaks shows a slope. */
export function measureHeap(base: string, calls: number) {
  return evaluate<{ after: number[] }>(
    `import { PaymentsClient } from '../dist/index.js';
     const payments = new PaymentsClient({ baseUrl: '${base}', accessToken: () => 'example-token' });
     const after = [];
     for (let tenth = 0; tenth < 10; tenth += 1) {
       let left = ${Math.round(calls / 10)};
       const worker = async () => { while (left-- > 0) await payments.kyc.retrieve('small'); };
       await Promise.all(Array.from({ length: 64 }, worker));
       gc(); await new Promise((resolve) => setTimeout(resolve, 50)); gc();
       after.push(process.memoryUsage().heapUsed / 1e6);
     }
     process.stdout.write(JSON.stringify({ after })); process.exit();`,
    ['--expose-gc'],
  );
}

/** Walks a list by its cursor over an in-process fetch: heap in MB and microseconds an item, by tenths of the way. */
export function measureWalk(items: number) {
  return evaluate<{ heap: number[]; perItem: number[] }>(
    `import { PaymentsClient } from '../dist/index.js';
     let sent = 0;
     const fetch = async () => {
       const externalWallets = Array.from({ length: 100 }, (_, index) => ({ address: '0x' + (sent + index), chain: 'POLYGON', createdAt: 't' + (sent + index) }));
       sent += 100;
       return Response.json({ count: 100, externalWallets, nextCursor: sent < ${items} ? 't' + sent : null });
     };
     const payments = new PaymentsClient({ baseUrl: 'https://payments.test', accessToken: 'example-token', fetch });
     const heap = [], perItem = []; let seen = 0; let cpu = process.cpuUsage();
     for await (const wallet of payments.externalWallets.list('u-1')) {
       seen += 1;
       if (seen % ${items / 10} === 0) {
         const { user, system } = process.cpuUsage(cpu);
         perItem.push((user + system) / ${items / 10});
         gc(); heap.push(process.memoryUsage().heapUsed / 1e6); cpu = process.cpuUsage();
       }
     }
     if (seen !== ${items}) throw new Error('saw ' + seen);
     process.stdout.write(JSON.stringify({ heap, perItem })); process.exit();`,
    ['--expose-gc'],
  );
}

/** Walks approvals by offset: bytes of heap per item at the end, next to those of a bare set of the same ids. */
export function measureSeenIds(items: number) {
  return evaluate<{ walk: number; ids: number }>(
    `import { PaymentsClient } from '../dist/index.js';
     const idOf = (index) => 'b0a1c2d3-0000-4000-8000-' + String(index).padStart(12, '0');
     const fetch = async (url) => {
       const { searchParams } = new URL(url);
       const offset = Number(searchParams.get('offset')), limit = Number(searchParams.get('limit'));
       const length = Math.max(0, Math.min(limit, ${items} - offset));
       const approvals = Array.from({ length }, (_, index) => ({ id: idOf(offset + index), status: 'PENDING', votes: [] }));
       return Response.json({ success: true, count: length, approvals });
     };
     const payments = new PaymentsClient({ baseUrl: 'https://payments.test', accessToken: 'example-token', fetch });
     const heap = () => { gc(); return process.memoryUsage().heapUsed; };
     await payments.approvals.list({ limit: 100 });
     let before = heap(), seen = 0, walk = 0;
     for await (const approval of payments.approvals.list({ limit: 100 })) {
       seen += 1;
       if (seen === ${items}) walk = heap() - before;
     }
     if (seen !== ${items}) throw new Error('saw ' + seen);
     before = heap();
     const ids = new Set();
     for (let index = 0; index < ${items}; index += 1) ids.add(JSON.parse(JSON.stringify(idOf(index))));
     const bare = heap() - before;
     if (ids.size !== ${items}) throw new Error('lost ids');
     process.stdout.write(JSON.stringify({ walk: walk / ${items}, ids: bare / ${items} })); process.exit();`,
    ['--expose-gc'],
  );
}
