export type {
  Bridge,
  BridgeCreateParams,
  BridgeDestinationParams,
  BridgeDetails,
  BridgeSourceParams,
  BridgeStatus,
} from '../shared/service/bridges.ts';
