export type {
  Bridge,
  BridgeCreateParams,
  BridgeDestinationParams,
  BridgeDetails,
  BridgeOperations,
  BridgeParty,
  BridgeReceipt,
  BridgeSourceParams,
  BridgeStatus,
} from '../shared/service/bridges.ts';
