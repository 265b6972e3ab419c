import type { BridgeCreateParams, BridgeDestinationParams, BridgeSourceParams } from './bridges.ts';
import { amount, flag, maybe, object, type Rule, requestId, text } from './param.ts';
import { payee } from './param-parts.ts';
import { lazy } from './response-shape.ts';

/** Without a recipient the stablecoins arrive at the wallet of the paying user. */
const oneRecipient: Rule = ({ userId, walletAddress }) =>
  typeof userId === 'string' && typeof walletAddress === 'string'
    ? { path: 'walletAddress', why: 'does not go with `userId`; give only one of them' }
    : undefined;

export const bridgeCreateParams = /* @__PURE__ */ lazy(() =>
  object<BridgeCreateParams>({
    requestId: requestId(),
    amount: amount(),
    source: object<BridgeSourceParams>({ userId: text(), chain: text(), currency: text() }),
    destination: object<BridgeDestinationParams>(
      { ...payee(), chain: text(), currency: text() },
      oneRecipient,
    ),
    requireApproval: maybe(flag()),
  }),
);
