import { createRequire } from 'node:module';
import { createEmulator, type DialectName } from 'stablecoin-payments/emulator';
import { expect, it } from 'vitest';
import { operations as clientOperations } from '../../client/operations.ts';

/** What is used of the linter: its own types would take a tenth of the time that all of ours take to check. */
interface Linter {
  createConfig(settings: object): Promise<object>;
  lintFromString(description: {
    source: string;
    config: object;
  }): Promise<{ ruleId: string; message: string; location: { pointer?: string }[] }[]>;
}
const { createConfig, lintFromString }: Linter = createRequire(import.meta.url)('@redocly/openapi-core');

/** The description as `GET /_emulator/openapi.json` serves it. */
async function described(dialect: DialectName) {
  const response = await createEmulator({ dialect }).fetch('http://localhost/_emulator/openapi.json');
  return response.text();
}

it.each<DialectName>(['spec', 'field'])(
  'the description of the dialect %j passes the recommended rules of the linter',
  async (dialect) => {
    // A server on this machine is what an emulator has.
    const rules = { 'no-server-example.com': 'off' };
    const config = await createConfig({ extends: ['recommended'], rules });
    const problems = await lintFromString({ source: await described(dialect), config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  },
);

it('is the same description for the same dialect', async () => {
  expect(await described('spec')).toBe(await described('spec'));
  expect(await described('spec')).not.toBe(await described('field'));
});

it('describes the operations of the client by their names, the lookups, and the quotes that wait', async () => {
  const operations = async (dialect: DialectName) => {
    const { paths } = JSON.parse(await described(dialect));
    return Object.values<Record<string, { operationId: string }>>(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
  };
  const spec = await operations('spec');
  const remedy =
    'src/emulator/openapi/operations.ts and src/emulator/http/routes/ have each of the client’s operations';
  const lookups = ['onramps', 'transfers', 'bridges', 'offramps'].flatMap((family) => [
    `${family}.list`,
    `${family}.retrieve`,
  ]);
  expect(spec.sort(), remedy).toEqual([...clientOperations.map(({ name }) => name), ...lookups].sort());
  expect(await operations('field')).toEqual(expect.arrayContaining([...spec, 'offramps.acceptQuote']));
});
