/** The payment rails by which a bank payment can arrive. */
export type PaymentRail = 'ach' | 'wire' | 'rtp';

/** The numbers to pay to by one payment rail. Bank data. */
export interface DepositRail {
  /** The routing number of the bank. */
  routingNumber?: string | null;
  /** The number of the account. */
  accountNumber?: string | null;
}

/** The beneficiary of a deposit. */
export interface DepositBeneficiary {
  /** The name of the beneficiary. */
  name?: string | null;
  /** The address of the beneficiary. */
  address?: string | null;
}

/** The bank details to which a one-time onramp is paid. The payer must put `reference` into the memo of the transfer. */
export interface OnrampDepositInfo {
  /** The receiving bank. */
  bankName?: string | null;
  /** The address of the bank. */
  bankAddress?: string | null;
  /** The SWIFT code of the bank. */
  swiftCode?: string | null;
  /** Whom to pay. */
  beneficiary?: DepositBeneficiary | null;
  /** The bank account for ACH transfers. */
  ach?: DepositRail | null;
  /** The bank account for wire transfers. */
  wire?: DepositRail | null;
  /** The bank account for real-time payments. */
  rtp?: DepositRail | null;
  /** The text that must be in the memo, so that the service can match the deposit. */
  reference?: string | null;
  /** Until when the deposit is accepted, as an ISO 8601 time. */
  depositBy?: string | null;
  /** The service's instructions for the payer. */
  instruction?: string | null;
}

/** The bank's side of a payment that arrived. Personal and bank data. */
export interface InboundObject {
  /** The bank of the sender. */
  bankName?: string | null;
  /** The name of the sender. */
  senderName?: string | null;
  /** The name of the beneficiary. */
  beneficiaryName?: string | null;
  /** The routing number of the bank. */
  routingNumber?: string | null;
  /** The number of the account. */
  accountNumber?: string | null;
  /** The kind of account. */
  accountType?: string | null;
  /** The batch id of the Federal Reserve. */
  fedBatchId?: string | null;
  /** The input id of a wire. */
  imad?: string | null;
  /** The output id of a wire. */
  omad?: string | null;
  /** The trace number of an ACH payment. */
  traceNumber?: string | null;
  /** The bank's reference for the payment. */
  referenceNumber?: string | null;
  /** The address of the bank. */
  bankAddress?: string | null;
  /** The text that came with the payment, such as the memo. */
  description?: string | null;
  /** The rail on which the payment arrived. */
  paymentRail?: PaymentRail | (string & {}) | null;
}
