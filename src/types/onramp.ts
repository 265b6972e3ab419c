export {
  type Onramp,
  type OnrampCreateParams,
  type OnrampDestination,
  type OnrampDetails,
  type OnrampFailureCode,
  type OnrampReceipt,
  type OnrampSource,
  type OnrampSourceParams,
  OnrampStatus,
  type OnrampUserDestinationParams,
  type OnrampWalletDestinationParams,
} from '../shared/service/onramps.ts';
