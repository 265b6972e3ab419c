import { redact } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';

type Treatment = 'shown' | 'bank' | 'kyc' | 'masked';

/** Objects whose fields are treated in the four ways, around one object. */
const around: Record<Treatment, (inner: object) => object> = {
  shown: (inner) => inner,
  bank: (us) => ({ us }),
  kyc: (kyc) => ({ kyc }),
  masked: (email) => ({ email }),
};

/** The fields that `redact` shows of an object under a name, as the name of their treatment. */
function treatmentOf(name: string, within: Treatment): Treatment | undefined {
  const probe = { type: 'probe', id: 'probe', currency: 'probe', note: 'probe' };
  const shown = JSON.stringify(redact(around[within]({ [name]: probe }))).match(/\w+(?=":"probe")/g);
  const treatments: Record<string, Treatment> = {
    'type id currency note': 'shown',
    'type currency': 'bank',
    'type id': 'kyc',
    type: 'masked',
  };
  return treatments[String(shown?.join(' '))];
}

/** Returns true if these fields make `redact` mask another field of the same object. */
const isKycRecord = (fields: readonly string[]): boolean =>
  redact({ ...Object.fromEntries(fields.map((field) => [field, 'x'])), note: 'x' }).note !== 'x';

const list = (text: string) => text.split(' ').map((name) => [name]);

describe('a field is masked wherever it stands', () => {
  it.each([
    ...list('accountNumber routingNumber traceNumber fedBatchId imad omad senderName beneficiaryName'),
    ...list('referenceNumber businessName accountHolderName legalName fullName name payerName payeeName'),
    ...list(
      'recipientName iban bic pix pixKey clabe speiClabe cbu cvu bsb ifsc sortCode bankCode branchCode',
    ),
    ...list('phoneNumber mobile mobileNumber msisdn ssn taxId wireMessage achReference sepaReference'),
    ...list('swiftReference paymentReference instruction supportingDocumentUrl invalidFields address'),
    ...list(
      'accountHolder beneficiary owner ultimateBeneficialOwner beneficialOwners directors shareholders',
    ),
    ...list(
      'apiKey accessToken refreshToken idToken authorization cookie token secret clientSecret password',
    ),
    ...list('privateKey signature firstName dateOfBirth govIdNumber'),
  ])('by its name: %s', (name) => {
    expect(treatmentOf(name, 'shown')).toBe('masked');
    expect(treatmentOf(name.toUpperCase(), 'shown')).toBe('masked');
    expect(
      treatmentOf(
        name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`),
        'bank',
      ),
    ).toBe('masked');
  });

  it.each([
    ...list(
      'secondaryEmail homePhone passportNo birthPlace nationalId govIdSelfieUrl companyTaxNumber myTaxId',
    ),
    ...list(
      'ibanLast4 oldClabe myPixKey hisAccountNumber aRoutingNumber theFirstName theLastName theMiddleName',
    ),
    ...list(
      'maidenName givenName familyName surName proofDocumentUrl passwordHash secretSauce privateKeyPem',
    ),
    ...list('accessKey refreshKey bearerToken bearer_key api_token authKey x-auth-token oauthToken'),
  ])('by a part of its name: %s', (name) => {
    expect(treatmentOf(name, 'shown')).toBe('masked');
  });

  it.each(
    list(
      'amount currency id userId status type createdAt network walletAddressId nickname tokens username key mail',
    ),
  )('but not %s', (name) => {
    expect(treatmentOf(name, 'shown')).toBe('shown');
  });
});

describe('an object with bank details', () => {
  it.each(
    list(
      'us africa brazil colombia argentina mexico brazilGlobalNetwork nigeriaGlobalNetwork mexicoGlobalNetwork ' +
        'hongKongGlobalNetwork bankInfo depositInfo bankDetails ach wire rtp sepa swift bank_info',
    ),
  )('is known by its name: %s', (name) => {
    expect(treatmentOf(name, 'shown')).toBe('bank');
    expect(treatmentOf(name, 'bank')).toBe('bank');
  });

  it.each(
    list('type currency rail transferType accountType paymentRail financialInstitute reference depositBy'),
  )('shows %s', (name) => {
    expect(treatmentOf(name, 'bank')).toBe('shown');
  });

  it.each(list('cpf note country bankAddress swiftCode id status'))('masks %s', (name) => {
    expect(treatmentOf(name, 'bank')).toBe('masked');
  });
});

describe('a KYC record', () => {
  it.each(list('kyc kycInfo kyc_info KYC'))('is known by its name: %s', (name) => {
    expect(treatmentOf(name, 'shown')).toBe('kyc');
    expect(treatmentOf(name, 'bank')).toBe('kyc');
  });

  it.each(
    list(
      'govIdType govIdNumber taxIdentificationNumber dateOfBirth firstNameLocal lastNameLocal sofEuQuestionnaire ' +
        'ultimateBeneficialOwners leiNumber registrationNumber incorporationDate proofOfAddressUrl lei_number',
    ),
  )('is known by its field %s', (name) => {
    expect(isKycRecord(['id', name])).toBe(true);
  });

  it('is nothing else', () => {
    expect(isKycRecord(['id', 'firstName', 'type'])).toBe(false);
    expect(isKycRecord([])).toBe(false);
  });

  it.each(list('type userId id status createdAt updatedAt user_id'))('shows %s', (name) => {
    expect(treatmentOf(name, 'kyc')).toBe('shown');
  });

  it.each(list('kyc kycInfo us nickname reference'))('masks %s', (name) => {
    expect(treatmentOf(name, 'kyc')).toBe('masked');
  });
});

it('of what is masked only the type is shown', () => {
  expect(treatmentOf('type', 'masked')).toBe('shown');
  expect(treatmentOf('Type', 'masked')).toBe('shown');
  for (const name of ['id', 'kyc', 'us', 'status']) expect(treatmentOf(name, 'masked')).toBe('masked');
});

describe('a copy', () => {
  it('keeps what is shown and masks leaves by the object that holds them', () => {
    const copy = redact({
      amount: 5,
      on: true,
      none: null,
      gone: undefined,
      us: { reference: 7, currency: 'usd', note: 'x', at: new Date(0), none: null, extra: undefined },
      kyc: { type: 'person', age: 7, ok: false, none: null, inner: { type: 'x', city: 'Rome' } },
      list: ['text', { email: 'a@b.c' }, ['iban', { iban: 'DE1' }]],
    });
    expect(copy).toEqual({
      amount: 5,
      on: true,
      none: null,
      gone: undefined,
      us: {
        reference: 7,
        currency: 'usd',
        note: '[redacted]',
        at: '[redacted]',
        none: null,
        extra: undefined,
      },
      kyc: {
        type: 'person',
        age: '[redacted]',
        ok: '[redacted]',
        none: null,
        inner: { type: 'x', city: '[redacted]' },
      },
      list: ['text', { email: '[redacted]' }, ['iban', { iban: '[redacted]' }]],
    });
    expect(redact(null)).toBeNull();
    expect(redact(undefined)).toBeUndefined();
    expect(redact(7n)).toBe(7n);
  });

  it('shows dates, numbers and functions of bank details where they are named, and not below KYC', () => {
    const at = new Date(0);
    const run = () => 'x';
    expect(redact({ us: { currency: at, rail: run }, kyc: { createdAt: at, id: run } })).toEqual({
      us: { currency: at, rail: run },
      kyc: { createdAt: at, id: run },
    });
    expect(redact({ us: [at, run], kyc: [at, run], email: [at, 1] })).toEqual({
      us: [at, '[redacted]'],
      kyc: ['[redacted]', '[redacted]'],
      email: ['[redacted]', '[redacted]'],
    });
  });

  it('of a record that has KYC fields masks the rest, also in a Map', () => {
    expect(redact({ data: { id: 'u-1', leiNumber: '5493', note: 'x' } })).toEqual({
      data: { id: 'u-1', leiNumber: '[redacted]', note: '[redacted]' },
    });
    const map = new Map<unknown, unknown>([
      [7, 'shown'],
      ['leiNumber', '5493'],
      ['userId', 'u-1'],
    ]);
    expect(redact(map)).toEqual({ 7: '[redacted]', leiNumber: '[redacted]', userId: 'u-1' });
  });

  it('of an object below bank details is masked as bank details, whatever its fields', () => {
    expect(
      redact({ us: { note: { leiNumber: 'x', id: 'y' }, ach: { leiNumber: 'x', rail: 'ach' } } }),
    ).toEqual({
      us: {
        note: { leiNumber: '[redacted]', id: '[redacted]' },
        ach: { leiNumber: '[redacted]', rail: 'ach' },
      },
    });
  });

  it('marks a reference to an enclosing object, and copies one that is only shared', () => {
    const shared = { id: 's-1', email: 'a@b.c' };
    const ring: Record<string, unknown> = { id: 'r-1' };
    ring.self = ring;
    expect(redact({ first: shared, second: shared, ring })).toEqual({
      first: { id: 's-1', email: '[redacted]' },
      second: { id: 's-1', email: '[redacted]' },
      ring: { id: 'r-1', self: '[circular]' },
    });
  });

  it('treats a shared object by the place where it stands', () => {
    const shared = { id: 's-1', note: 'x' };
    expect(redact({ open: shared, kyc: shared, us: shared })).toEqual({
      open: { id: 's-1', note: 'x' },
      kyc: { id: 's-1', note: '[redacted]' },
      us: { id: '[redacted]', note: '[redacted]' },
    });
  });

  it('keeps a field named `__proto__`, and changes nothing of the original', () => {
    const given = JSON.parse('{"__proto__":{"email":"x"},"a":1}');
    const before = structuredClone(given);
    expect(redact(given)).toEqual(JSON.parse('{"__proto__":{"email":"[redacted]"},"a":1}'));
    expect(given).toEqual(before);
    expect(redact({ kyc: ['Rome'] })).toEqual({ kyc: ['[redacted]'] });
  });

  it('ends at a depth of 100', () => {
    const nested = (levels: number) => {
      let value: unknown = 'bottom';
      for (let level = 0; level < levels; level += 1) value = [value];
      return JSON.stringify(redact(value));
    };
    expect(nested(101)).toContain('bottom');
    expect(nested(102)).not.toContain('bottom');
    expect(nested(102)).toContain('["[redacted]"]');
    let mapped: unknown = 'bottom';
    for (let level = 0; level < 102; level += 1) mapped = { next: mapped };
    expect(JSON.stringify(redact(mapped))).not.toContain('bottom');
  });
});

describe('a text', () => {
  it.each([
    ['eyJhbGciOi.eyJzdWIi', '[redacted]'],
    ['eyJhbGciOi.eyJzdWIi.c2ln-_w', '[redacted]'],
    ['eyJhbGciOi.eyJzdWIi.', '[redacted]'],
    ['a eyJhbGciOi.eyJzdWIi.c2ln b eyJh.b.c', 'a [redacted] b [redacted]'],
    ['keyJhbGciOi.eyJzdWIi', 'keyJhbGciOi.eyJzdWIi'],
    ['eyJhbGciOi', 'eyJhbGciOi'],
    ['Bearer abc.def', 'Bearer [redacted]'],
    ['bearer  abc.def, BEARER\tx', 'Bearer [redacted] Bearer [redacted]'],
    ['forbearer abc', 'forbearer abc'],
    ['Bearer', 'Bearer'],
    ['{"email":"a"} is no JSON', '{"email":"a"} is no JSON'],
    [' {"email":"a","n":[1]}', '{"email":"[redacted]","n":[1]}'],
    ['\n[{"iban":"DE1"}, 2]', '[{"iban":"[redacted]"},2]'],
    ['"{ quoted }"', '"{ quoted }"'],
    ['x {"email":"a"}', 'x {"email":"a"}'],
    ['7.0', '7.0'],
    ['"a [b" ', '"a [b" '],
  ])('%j is shown as %j', (text, shown) => {
    expect(redact(text)).toBe(shown);
  });
});
