export type {
  Offramp,
  OfframpCreateParams,
  OfframpDestination,
  OfframpDestinationParams,
  OfframpDetails,
  OfframpDeveloperFee,
  OfframpReceipt,
  OfframpSource,
  OfframpSourceParams,
  OfframpStatus,
} from '../shared/service/offramps.ts';
