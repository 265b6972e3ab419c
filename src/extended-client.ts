import type { PaymentsClient } from './client.ts';
import type { ClientOptions } from './config/options.ts';
import type { CustomResource } from './resources/custom/resource-types.ts';

/** Resources of your own, by the names that they get on the client. Names that the client uses itself are taken. */
export type CustomResources = { readonly [name: string]: CustomResource } & {
  readonly [Name in keyof PaymentsClient | 'then']?: never;
};

/** A `PaymentsClient` with resources of your own. */
export type ExtendedClient<Added> = {
  readonly [Name in keyof Added]: Added[Name] extends CustomResource<infer Methods> ? Methods : never;
} & ExtendedMethods<Added> &
  PaymentsClient;

/** What a client with resources of its own does in another way. */
export interface ExtendedMethods<Added> {
  /** Derives a client with some options replaced; it has the same resources. */
  withOptions(options: ClientOptions): ExtendedClient<Added>;
  /** Adds more resources. */
  with<const More extends CustomResources>(resources: More): ExtendedClient<Added & More>;
}
