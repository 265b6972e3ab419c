import * as main from 'stablecoin-payments';
import * as emulator from 'stablecoin-payments/emulator';
import * as payouts from 'stablecoin-payments/payouts';
import * as webhooks from 'stablecoin-payments/webhooks';
import { payAndHear } from './pay-and-hear.mjs';

await payAndHear({ main, emulator, payouts, webhooks });
