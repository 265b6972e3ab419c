import { createServer } from 'node:http';
import { openPostgres } from './data/postgres.ts';
import { createTables } from './data/schema.ts';
import { handlers, receiver } from './receiver.ts';
import { required, wholeNumber } from './settings.ts';

/** The process that the service's webhooks reach. Several may run behind a balancer: they share what was handled. */
const db = openPostgres(required('DATABASE_URL'));
await createTables(db);
const handle = receiver(db, required('WEBHOOK_SECRET')).nodeHandler(handlers(db));
const server = createServer(handle);
const host = process.env.HOST ?? '127.0.0.1';
server.listen(wholeNumber('PORT', 4020), host, () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  console.log(`Webhooks are received on http://${host}:${port}`);
  process.send?.({ port });
});

const stop = (): void => {
  server.close(() => void db.close().then(() => process.exit(0)));
  server.closeIdleConnections();
};
process.once('SIGTERM', stop).once('SIGINT', stop);
