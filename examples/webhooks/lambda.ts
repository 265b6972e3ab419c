import { Buffer } from 'node:buffer';
import type { FetchWebhookHandler } from 'stablecoin-payments/webhooks';

/** The fields of an API Gateway or function URL event that the handler uses. */
export interface ApiGatewayEvent {
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Of HTTP APIs and function URLs. */
  readonly requestContext?: { readonly http?: { readonly method: string } };
  /** Of REST APIs and load balancers. */
  readonly httpMethod?: string;
}

/**
 * Makes an AWS Lambda handler of a receiver: `export const handler = lambdaHandler(receiver(secret).handler(handlers(note)))`.
 * The gateway passes a body that it takes for binary, such as a compressed one, as base64.
 */
export const lambdaHandler = (receive: FetchWebhookHandler) => async (event: ApiGatewayEvent) => {
  const method = event.requestContext?.http?.method ?? event.httpMethod ?? 'POST';
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const headers = Object.entries(event.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  const request = new Request('https://lambda.test/', {
    method,
    headers,
    ...(method !== 'GET' && method !== 'HEAD' && { body }),
  });
  const response = await receive(request);
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
};
