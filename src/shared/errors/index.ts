export {
  APIError,
  type APIErrorDetails,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  type ServiceError,
  UnprocessableEntityError,
} from './api.ts';
export {
  isPaymentsError,
  type Outcome,
  PaymentsError,
  type PaymentsErrorDetails,
} from './base.ts';
export type { ErrorCode, WebhookErrorCode } from './codes.ts';
export * from './connection.ts';
export * from './request.ts';
export * from './response.ts';
export * from './webhook.ts';
