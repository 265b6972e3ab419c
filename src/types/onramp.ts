export {
  type Onramp,
  type OnrampCreateParams,
  type OnrampDestination,
  type OnrampDetails,
  type OnrampFailureCode,
  type OnrampSource,
  type OnrampSourceParams,
  OnrampStatus,
  type OnrampUserDestinationParams,
  type OnrampWalletDestinationParams,
} from '../shared/service/onramps.ts';
