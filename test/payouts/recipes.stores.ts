import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** The code that users copy opens a database whose connections break: none of it may end the process. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const connectionString = `postgresql://${process.env.PGUSER}@localhost/postgres?host=${process.env.PGHOST}`;

/** Breaks every other connection in each state in which a worker has some, and asks again each time. */
const faults = `
const admin = new pg.Client({ connectionString: process.env.DATABASE_URL });
await admin.connect();
const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
const breakAll = async () => {
  const { rows } = await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
  );
  await wait(50);
  return rows.length;
};
let broken = 0;
let failed = 0;
const fails = (work) => db.transaction(work).then(() => {}, () => { failed += 1; });
for (let turn = 0; turn < 5; turn += 1) {
  await db.query('select 1');
  broken += await breakAll(); // idle in the pool
  await fails(async (sql) => {
    await sql.query('select 1');
    broken += await breakAll(); // idle in a transaction
    await sql.query('select 1');
  });
  await fails(async (sql) => {
    const slow = sql.query('select pg_sleep(10)').catch((error) => error);
    await wait(50);
    broken += await breakAll(); // in a statement
    throw await slow;
  });
  await fails(async () => {
    broken += await breakAll(); // after begin
    await wait(50);
    throw new Error('the work failed');
  });
  const { rows } = await db.query('select 1 as one');
  if (rows[0].one !== 1) throw new Error('no row');
}
await boss.findJobs('none').catch(() => {});
console.log(JSON.stringify({ broken: broken >= 20, failed }));
process.exit(0);
`;

async function run(program: string) {
  const flags = ['--no-warnings', '--input-type=module-typescript', '--eval', program];
  const child = spawn(process.execPath, flags, {
    cwd: root,
    env: { ...process.env, DATABASE_URL: connectionString },
  });
  let out = '';
  let errors = '';
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (errors += data));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  return { code, out: out.trim().split('\n').at(-1), errors };
}

it.each([
  [
    'the guide',
    async () => {
      const guide = await readFile(`${root}docs/guides/payouts-at-scale.md`, 'utf8');
      const blocks = [...guide.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
      const recipes = blocks.filter((code) => code.includes('new pg.Pool'));
      expect(recipes).toHaveLength(1);
      return `${recipes[0]}${faults}`;
    },
  ],
  [
    'the example',
    async () => `import pg from 'pg';
import { openPostgres } from '${root}examples/payouts/src/database.ts';
const { boss, db } = await openPostgres(process.env.DATABASE_URL);
${faults}`,
  ],
])('%s survives connections that break', async (_name, program) => {
  const { code, out, errors } = await run(await program());
  expect({ code, out }, errors.slice(0, 3000)).toEqual({ code: 0, out: '{"broken":true,"failed":15}' });
});
