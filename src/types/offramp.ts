export type {
  Offramp,
  OfframpCreateParams,
  OfframpDestination,
  OfframpDestinationParams,
  OfframpDetails,
  OfframpSource,
  OfframpSourceParams,
  OfframpStatus,
} from '../shared/service/offramps.ts';
