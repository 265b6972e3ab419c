import type { World } from '../../state/world.ts';
import type { DepositInfo, EmulatedOnrampDetails, Money } from '../records/index.ts';

const BANK = { bankName: 'Example Bank', bankAddress: '1 Example Plaza, New York, NY 10001, USA' } as const;

/** Routing numbers that pass a bank's check digit and belong to nobody who could be paid by mistake. */
const ROUTING = { ach: '000000000', wire: '000000000', rtp: '000000000' } as const;

/** Deposit instructions for one transaction of one amount. */
export function depositInfoOf(world: World, onrampId: string, gross: Money): DepositInfo {
  const accountNumber = world.ids.digits(`deposit-account/${onrampId}`, 12);
  const reference = `DEP${world.ids.hex(`reference/${onrampId}`, 10).toUpperCase()}`;
  const numbers = (rail: keyof typeof ROUTING) => ({ routingNumber: ROUTING[rail], accountNumber });
  return {
    ...BANK,
    swiftCode: 'EXMPUS00XXX',
    beneficiary: { name: 'Example Settlement Inc', address: '2 Example Plaza, New York, NY 10001, USA' },
    ach: numbers('ach'),
    wire: numbers('wire'),
    rtp: numbers('rtp'),
    reference,
    depositBy: new Date(world.clock.millis() + world.pace.depositWindow).toISOString(),
    instruction: `Send exactly ${gross.amount} ${gross.currency} and put ${reference} into the memo of the transfer`,
  };
}

/** The receiving bank's details of a deposit. */
export function bankInfoOf(world: World, details: EmulatedOnrampDetails): Record<string, string> {
  const rail = details.source.transferType;
  const { ids } = world;
  const wire = rail === 'wire';
  const trace = ids.digits(`trace/${details.id}`, 15);
  const sender = [details.source.user.firstName, details.source.user.lastName].filter(Boolean).join(' ');
  const more = {
    beneficiaryName: 'Example Settlement Inc',
    referenceNumber: `REF${trace.slice(0, 9)}`,
  };
  return {
    ...BANK,
    ...(world.dialect.transferFields === 'all' ? more : {}),
    senderName: sender === '' ? 'Example Sender' : sender,
    routingNumber: ROUTING.ach,
    accountNumber: ids.digits(`sender-account/${details.source.userId}`, 10),
    accountType: 'checking',
    paymentRail: rail === 'wire' || rail === 'rtp' ? rail : 'ach',
    fedBatchId: wire ? '' : trace.slice(0, 7),
    imad: wire ? `IMAD${trace}` : '',
    omad: wire ? `OMAD${trace}` : '',
    traceNumber: trace,
    description: details.depositInfo?.reference ?? details.id,
  };
}
