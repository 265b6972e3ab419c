import type { KycInfo } from '../../shared/service/kyc.ts';
import { notFound, ServiceProblem } from '../problem.ts';
import type { World } from '../state/world.ts';
import { emitMore } from './events.ts';
import type { EmulatedPartyUser, KycRail, UserRecord } from './records/users.ts';
import type { Written } from './records/written.ts';

const FIRST_NAMES = ['Amina', 'Brian', 'Chipo', 'Daniel', 'Esther', 'Farai', 'Grace', 'Hassan'] as const;
const LAST_NAMES = ['Okello', 'Mwangi', 'Banda', 'Adeyemi', 'Mensah', 'Nakato', 'Dlamini', 'Otieno'] as const;

/** The fields of a KYC record that are empty unless somebody fills them in. */
const EMPTY_KYC = {
  firstNameLocal: null,
  middleName: null,
  middleNameLocal: null,
  lastNameLocal: null,
  stateOfBirth: null,
  placeOfBirth: null,
  govIdFrontUrl: null,
  govIdBackUrl: null,
  govIdIssuanceAuthority: null,
  govIdHandHoldUrl: null,
  proofOfAddressType: null,
  proofOfAddressUrl: null,
  sofEuQuestionnaire: null,
  ipAddress: null,
  idType: null,
  idNumber: null,
  additionalIdType: null,
  additionalIdNumber: null,
  purpose: null,
  productServiceCategory: null,
  supplementaryInfo: null,
  supplementaryUrl: null,
};

/** The fields that only a business has. The description of the service does not show them. */
type BusinessField =
  | `${'postal' | 'registered'}Address`
  | `incorporation${'Country' | 'Date'}`
  | 'businessName'
  | 'leiNumber'
  | 'registrationNumber'
  | 'taxIdentificationNumberType'
  | 'ultimateBeneficialOwners';

/** A user to create. Fields that you leave out are generated. */
export interface CreateUserParams {
  /** The rails on which the user may hold accounts and make onramps. Default: none. */
  rails?: readonly KycRail[] | undefined;
  /** KYC fields that replace the made-up ones, or add to them. */
  kyc?: Record<string, unknown> | undefined;
  /** The number of external wallets that the user has from the start, 0 to 100. Default 3. */
  externalWallets?: number | undefined;
}

export function createUser(world: World, { rails = [], kyc = {} }: CreateUserParams): UserRecord {
  const id = world.ids.uuid('user');
  const user = world.users.add({
    id,
    userId: id,
    rails: [...new Set(rails)],
    kycInfo: { ...madeUpKyc(world, id), ...structuredClone(kyc) },
    statedKyc: Object.keys(kyc),
    createdAt: world.clock.iso(),
  });
  emitMore(world, 'USER.STATUS.CREATE', { userId: id, rails: user.rails });
  return user;
}

export function findUser(world: World, userId: string): UserRecord {
  const user = world.users.get(userId);
  if (user === undefined) throw notFound('user', userId);
  return user;
}

export function requireRail(user: UserRecord, rail: KycRail): void {
  if (user.rails.includes(rail)) return;
  throw new ServiceProblem(
    403,
    'USER_COMPLIANCE_VERIFICATION_FAILED',
    `The user has no active ${rail} rail: its KYC must be completed for that rail first`,
  );
}

/** The user as it stands in a transfer's source and destination. */
export function partyOf(user: UserRecord): EmulatedPartyUser {
  const field = (name: string): string | null => {
    const value = user.kycInfo[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    email: field('email'),
    lastName: field('lastName'),
    firstName: field('firstName'),
    businessName: field('businessName'),
  };
}

function madeUpKyc(world: World, id: string): Written<Omit<KycInfo, BusinessField>> {
  const { ids } = world;
  const firstName = ids.pick(`first-name/${id}`, FIRST_NAMES);
  const lastName = ids.pick(`last-name/${id}`, LAST_NAMES);
  return {
    type: 'individual',
    firstName,
    lastName,
    nationality: 'UGA',
    email: `${firstName}.${lastName}.${id.slice(0, 8)}@example.com`.toLowerCase(),
    phone: `+256700${ids.digits(`phone/${id}`, 6)}`,
    address: {
      addressLine1: `${1 + ids.integer(`house/${id}`, 99)} Example Road`,
      addressLine2: null,
      city: 'Kampala',
      stateProvinceRegion: 'Central',
      postalCode: '10101',
      country: 'UGA',
    },
    dateOfBirth: `19${70 + ids.integer(`year/${id}`, 30)}-0${1 + ids.integer(`month/${id}`, 9)}-15`,
    countryOfBirth: 'UGA',
    taxIdentificationNumber: ids.digits(`tax/${id}`, 10),
    taxResidenceCountry: 'UGA',
    govIdType: 'PASSPORT',
    govIdNumber: `P${ids.digits(`passport/${id}`, 8)}`,
    govIdCountry: 'UGA',
    govIdIssuanceDate: '2022-01-15',
    govIdExpirationDate: '2032-01-14',
    ...EMPTY_KYC,
    documents: [],
  };
}
