import type { WentBack } from '../rules/went-back.ts';

/** The columns of the last command `restored`, and the join that gives them. */
export const COMMAND_COLUMNS = `r.number as command, (extract(epoch from r.at) * 1000)::float8 as command_at,
  (extract(epoch from r.since) * 1000)::float8 as command_since`;
export const COMMAND_JOIN =
  'left join (select number, at, since from payout_restored order by number desc limit 1) r on true';

/** Returns the last command, which a row may not know yet; null where there is none. The first row of the commands, 0, is none. */
export function commandOf(row: {
  readonly command: number | null;
  readonly command_at: number | null;
  readonly command_since: number | null;
}): WentBack | null {
  const { command: number, command_at: at, command_since: since } = row;
  return number === null || number === 0 || at === null || since === null ? null : { number, at, since };
}
