// One helper alone: a bundle of this holds the helper, and nothing of the client.
import { isTerminalOnramp } from 'stablecoin-payments';

console.log(isTerminalOnramp('COMPLETED'), isTerminalOnramp('OPEN_QUOTE'));
