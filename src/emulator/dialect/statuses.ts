import type { EmulatedTransferStatus, TransferType } from '../service/records/index.ts';
import type { Dialect, QuotedFamily } from './dialect.ts';

const COMMON: readonly EmulatedTransferStatus[] = ['CREATED', 'INITIATED', 'PENDING', 'COMPLETED'];

const BY_KIND: Partial<Record<TransferType, readonly EmulatedTransferStatus[]>> = {
  'WALLET.BRIDGE': [
    'CREATED',
    'SOURCE_INITIATED',
    'SOURCE_PENDING',
    'SOURCE_PROCESSED',
    'DESTINATION_INITIATED',
    'DESTINATION_PENDING',
    'COMPLETED',
  ],
  OFFRAMP: ['CREATED', 'CRYPTO_INITIATED', 'CRYPTO_PENDING', 'FIAT_INITIATED', 'FIAT_PENDING', 'COMPLETED'],
};

/** The statuses that a transfer passes through once it executes. */
export function stepsOf(
  { conversionStatuses }: Dialect,
  transferType: TransferType,
): readonly EmulatedTransferStatus[] {
  return (conversionStatuses === 'by-kind' ? BY_KIND[transferType] : undefined) ?? COMMON;
}

const FAMILIES: Partial<Record<TransferType, QuotedFamily>> = {
  'WALLET.BRIDGE': 'bridges',
  OFFRAMP: 'offramps',
};

/** Whether a transfer of this type waits until its quote is accepted. */
export function waitsForAcceptance(
  { acceptQuotes }: Dialect,
  transferType: TransferType | 'ONRAMP',
): boolean {
  const family = transferType === 'ONRAMP' ? 'onramps' : FAMILIES[transferType];
  return family !== undefined && acceptQuotes.includes(family);
}
