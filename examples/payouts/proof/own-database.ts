import pg from 'pg';

/**
 * Makes a database for one run on the server of `DATABASE_URL`. A second run there must not meet the payouts of the first.
 */
export async function ownDatabase(server: string) {
  const name = `payouts_${crypto.randomUUID().replaceAll('-', '')}`;
  await onServer(server, `create database ${name}`);
  const own = new URL(server);
  own.pathname = `/${name}`;
  return {
    connectionString: own.href,
    drop: () => onServer(server, `drop database if exists ${name} with (force)`),
  };
}

async function onServer(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
