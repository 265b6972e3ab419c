import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../src/emulator/index.ts';
import { COUNTRIES, FIAT_CURRENCIES } from '../../src/emulator/service/quotes.ts';
import { isKnownServiceErrorName, serviceErrorNames } from '../../src/errors/service-names.ts';
import { PaymentsClient, redact } from '../../src/index.ts';
import { isAfricanCurrency } from '../../src/resources/checks/payments.ts';
import { regionalAccountFields } from '../../src/schemas/account-regions.ts';
import { isFieldPath } from '../../src/shared/plain-words.ts';
import { webhookEventTypes } from '../../src/types/webhook-event.ts';
import { knownKinds } from '../../src/webhooks/receiving/dispatch.ts';

/** The texts of a union in a file of types. */
function textsOf(file: string, type: string): string[] {
  const source = readFileSync(new URL(`../../src/types/${file}`, import.meta.url), 'utf8');
  const declared = source.split(`export type ${type} =`)[1]?.split(';')[0] ?? '';
  return [...declared.matchAll(/'([^']+)'/g)].map(([, text = '']) => text);
}

describe('facts of the service that stand in several places', () => {
  it('are the same currencies in the types, the checks and the emulator', () => {
    const currencies = textsOf('fields.ts', 'FiatCurrency');
    expect(currencies).toHaveLength(20);
    expect(currencies.filter((currency) => !FIAT_CURRENCIES.includes(currency))).toEqual([]);
    const african = currencies.filter((currency) => isAfricanCurrency(currency));
    expect(african.filter((currency) => !COUNTRIES.has(currency))).toEqual([]);
    expect(currencies.filter((currency) => !isAfricanCurrency(currency)).sort()).toEqual(
      ['ars', 'brl', 'cop', 'eur', 'hkd', 'mxn', 'usd'].sort(),
    );
  });

  it.each(Object.entries(regionalAccountFields))('are the fields of a region: %s', (region, fields) => {
    const shown = ['currency', 'accountType', 'transferType'];
    for (const field of fields) {
      // A refusal may name the field, and a record never shows what is in it.
      expect(isFieldPath(`${region}.${field}`)).toBe(true);
      const printed = JSON.stringify(redact({ [region]: { [field]: 'secret value' } }));
      expect(printed.includes('secret value')).toBe(shown.includes(field));
    }
  });

  it('are the names of errors, with which the emulator refuses in its `field` dialect', () => {
    const source = readFileSync(new URL('../../src/emulator/dialect/errors.ts', import.meta.url), 'utf8');
    const names = [...source.matchAll(/\['([A-Z_]+)', \['([A-Z_]+)', \d+\]\]/g)].map(
      ([, , name = '']) => name,
    );
    expect(names.length).toBeGreaterThan(15);
    // Two that the notes do not name; the emulator needs them to say what it does not have, and that it failed.
    const own = ['ACCOUNT_NOT_FOUND', 'INTERNAL_ERROR'];
    expect(names.filter((name) => !isKnownServiceErrorName(name) && !own.includes(name))).toEqual([]);
  });

  it('are the names of errors, of which the guide has a row each', () => {
    const guide = readFileSync(new URL('../../docs/guides/errors.md', import.meta.url), 'utf8');
    for (const name of serviceErrorNames) expect(guide).toContain(`\`${name}\` |`);
  });

  it('are the chains, of which the emulator takes each', async () => {
    const chains = textsOf('fields.ts', 'Chain');
    expect(chains).toHaveLength(6);
    const emulator = createEmulator({ dialect: 'field' });
    const { userId } = emulator.createUser();
    const payments = new PaymentsClient({
      baseUrl: 'http://localhost',
      accessToken: 't',
      fetch: emulator.fetch,
    });
    for (const chain of chains) {
      const party = { userId };
      const params = { source: party, destination: party, amount: 1, currency: 'usdc', chain };
      expect((await payments.transfers.create(params)).transferDetails.chain).toContain(chain);
    }
  });

  it('are the kinds of events, of which the emulator delivers no other', async () => {
    for (const dialect of ['spec', 'field'] as const) {
      const response = await createEmulator({ dialect }).fetch('http://localhost/_emulator/openapi.json');
      const { webhooks }: { webhooks: object } = JSON.parse(await response.text());
      const kinds = Object.keys(webhooks);
      expect(kinds.length).toBe(dialect === 'spec' ? 5 : 48);
      expect(kinds.filter((kind) => !knownKinds.includes(kind))).toEqual([]);
    }
  });

  it('are the documented kinds of events, of which the guide has a row each', () => {
    const guide = readFileSync(new URL('../../docs/guides/webhooks.md', import.meta.url), 'utf8');
    for (const kind of webhookEventTypes) expect(guide).toContain(kind);
  });
});
