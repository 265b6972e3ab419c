import { redact } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';

const shown = (value: unknown) => JSON.stringify(redact(value));

describe('redact, of KYC records', () => {
  const business = {
    type: 'business',
    businessName: 'planted Engines',
    leiNumber: 'planted 5493',
    incorporationState: 'planted Delaware',
    annualTurnoverBand: 'planted high',
    numberOfEmployees: 771_234,
    isPubliclyTraded: true,
    registeredAddress: { addressLine1: 'planted Street', type: 'planted-kind' },
    ultimateBeneficialOwners: [
      { firstName: 'planted Ada', ownership: 55.123, documents: [{ kind: 'planted' }] },
    ],
    sofEuQuestionnaire: { q1: 'planted' },
  };

  it('masks every field, also unknown ones and those of a business', () => {
    for (const value of [
      { userId: 'u-1', kycInfo: business },
      { userId: 'u-1', kycInfo: { anything: { new: 'planted' } } },
    ]) {
      const text = shown(value);
      expect(text).toContain('u-1');
      expect(text).not.toMatch(
        /planted Engines|planted 5|Delaware|771234|true|Street|Ada|55\.123|"planted"|high/,
      );
    }
  });

  it('knows a record that stands alone, as in a webhook', () => {
    const text = shown({ eventType: 'KYC.UPDATE', data: business });
    expect(text).toContain('KYC.UPDATE');
    expect(text).not.toMatch(/planted (?!-)|771234/);
  });
});

describe('redact, of bank details', () => {
  it('masks what differs by region, and keeps what a log needs', () => {
    const text = shown({
      id: 'acc-1',
      status: 'ACTIVE',
      brazil: { pixKey: 'planted', cpf: 'planted', currency: 'brl' },
      mexico: { speiClabe: 'planted', note: { inner: 'planted' } },
      us: {
        iban: 'planted',
        swiftCode: 'planted',
        bankAddress: 'planted',
        transferType: 'wire',
        accountType: 'Checking',
      },
      hongKongGlobalNetwork: { anything: 'planted' },
      bankInfo: {
        beneficiaryName: 'planted',
        referenceNumber: 'planted',
        endToEndId: 'planted',
        paymentRail: 'ach',
      },
      depositInfo: {
        ach: { accountNumber: 'planted', routingNumber: 'planted' },
        reference: 'REF-1',
        instruction: 'planted',
      },
    });
    expect(text).not.toContain('planted');
    for (const kept of ['acc-1', 'ACTIVE', 'brl', 'wire', 'Checking', 'REF-1', '"ach"'])
      expect(text).toContain(kept);
  });
});

describe('redact, of anything', () => {
  it('ends in linear time on shared and cyclic graphs', () => {
    let shared: Record<string, unknown> = { email: 'planted' };
    for (let level = 0; level < 90; level += 1) shared = { left: shared, right: shared };
    const startedAt = performance.now();
    redact(shared);
    const ring: { next?: unknown; email: string; all: unknown[] }[] = Array.from({ length: 2_000 }, () => ({
      email: 'planted',
      all: [],
    }));
    for (const [index, node] of ring.entries()) {
      node.next = ring[(index + 1) % ring.length];
      node.all = ring;
    }
    const text = shown(ring[0]);
    expect(text).not.toContain('planted');
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it('shows nothing of what throws when it is read', () => {
    const throwing = Object.defineProperty({}, 'x', {
      enumerable: true,
      get() {
        throw new Error('planted');
      },
    });
    expect(redact({ a: throwing, b: Proxy.revocable({}, {}).proxy })).toEqual({ a: '[redacted]', b: {} });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(redact(proxy)).toBe('[redacted]');
  });
});

describe('redact, of long texts', () => {
  it('masks JSON field by field, and any other text as a whole, without searching it', () => {
    const long = 'a'.repeat(6_000_000);
    expect(
      redact({ note: JSON.stringify({ status: 'CREATED', more: 'x '.repeat(20_000), accountNumber: '7' }) }),
    ).toEqual({
      note: JSON.stringify({ status: 'CREATED', more: '[redacted]', accountNumber: '[redacted]' }),
    });
    for (const text of [long, '-eyJ'.repeat(50_000), 'Bearer '.repeat(50_000), `{"a":"${long}`])
      expect(redact({ note: text })).toEqual({ note: '[redacted]' });
    expect(redact('a'.repeat(10_000))).toBe('a'.repeat(10_000));
  });
});
