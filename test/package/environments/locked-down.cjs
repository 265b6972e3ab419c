const main = require('stablecoin-payments');
const emulator = require('stablecoin-payments/emulator');
const payouts = require('stablecoin-payments/payouts');
const webhooks = require('stablecoin-payments/webhooks');

import('./pay-and-hear.mjs').then(({ payAndHear }) => payAndHear({ main, emulator, payouts, webhooks }));
