import type { Server } from './servers.ts';

/**
 * The clock of the database: two functions that are found before those of PostgreSQL, and that are ahead by what a table says.
 * Hours pass in an instant, for the payouts and for pg-boss alike.
 */
export const CLOCK = `
create table clock (ahead interval not null);
insert into clock values ('0');
create function clock_timestamp() returns timestamptz language sql volatile
  as 'select pg_catalog.clock_timestamp() + ahead from public.clock';
create function now() returns timestamptz language sql stable
  as 'select pg_catalog.now() + ahead from public.clock';
alter database payouts set search_path = public, pg_catalog;
`;

/** pg-boss asks a function of its own for the time. */
export const BOSS_CLOCK = `
create or replace function pgboss.job_now() returns timestamptz language sql stable as 'select public.now()'`;

/** The time of the database and of the service: hours pass in an instant. */
export class Clock {
  #ahead = 0;

  now(): number {
    return Date.now() + this.#ahead;
  }

  pass(milliseconds: number): void {
    this.#ahead += milliseconds;
  }

  /** Sets the clock of a database: one that went back has an old one. */
  async set(server: Server): Promise<void> {
    await server.query(`update clock set ahead = $1 * interval '1 millisecond'`, [this.#ahead]);
  }
}
