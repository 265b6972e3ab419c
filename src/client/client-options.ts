import * as z from 'zod/mini';
import {
  checkedElsewhere,
  functionOf,
  headers,
  milliseconds,
  objectOf,
  oneFrom,
} from '../shared/schema/option-values.ts';
import {
  anyText,
  checkSayingAll,
  flag,
  lazy,
  matching,
  strictObject,
  text,
} from '../shared/schema/schema.ts';
import { isInstance } from '../shared/values.ts';
import { retries } from './call/call-options.ts';
import type { AccessToken } from './call/credentials.ts';
import { type Hooks, type Logger, logLevels } from './call/hooks.ts';
import type { ClientOptions, RefusalOptions } from './options.ts';
import type { FetchLike } from './wire/wire.ts';

const baseUrls = /* @__PURE__ */ lazy(() =>
  matching<NonNullable<ClientOptions['baseUrls']>>()(
    strictObject({ production: z.optional(anyText()), sandbox: z.optional(anyText()) }),
  ),
);

const isRefusalName = (name: unknown): boolean => typeof name === 'string' && /^[A-Za-z][\w.-]*$/.test(name);

const refusalNameList = /* @__PURE__ */ lazy(() =>
  z.custom<readonly string[]>((given) => Array.isArray(given) && given.every(isRefusalName), {
    error: 'must be a list of error names such as `DUPLICATE_REQUEST`',
    params: { kind: 'rule' },
  }),
);

const refusalNameSchema = /* @__PURE__ */ lazy(() =>
  matching<RefusalOptions>()(
    strictObject({ known: z.optional(refusalNameList()), sure: z.optional(refusalNameList()) }),
  ),
);

const refusalWords = 'must be an object with lists of names or a function';

const refusals = /* @__PURE__ */ lazy(() =>
  z.union(
    [refusalNameSchema(), functionOf<Extract<ClientOptions['refusals'], (...args: never[]) => unknown>>()],
    {
      error: refusalWords,
    },
  ),
);

const hookFunctions = /* @__PURE__ */ lazy(() =>
  matching<Hooks>()(
    strictObject({
      request: z.optional(functionOf<NonNullable<Hooks['request']>>()),
      response: z.optional(functionOf<NonNullable<Hooks['response']>>()),
      retry: z.optional(functionOf<NonNullable<Hooks['retry']>>()),
      error: z.optional(functionOf<NonNullable<Hooks['error']>>()),
      drift: z.optional(functionOf<NonNullable<Hooks['drift']>>()),
    }),
  ),
);

/** An instance of a class may have fields of its own. */
const hooks = /* @__PURE__ */ lazy(() =>
  z.union([
    hookFunctions(),
    z.custom<Hooks>(isInstance, { error: 'must be an object', params: { kind: 'type' } }),
  ]),
);

/** An object with the methods of `console`. */
const logger = /* @__PURE__ */ lazy(() => {
  const methods: readonly (keyof Logger)[] = ['debug', 'info', 'warn', 'error'];
  return objectOf<Logger>('must be an object such as `console`').check(
    ...methods.map((method) =>
      checkSayingAll<Logger>((given) => typeof given[method] === 'function', `has no method \`${method}\``),
    ),
  );
});

/** The options of a client. */
export const clientOptions = /* @__PURE__ */ lazy(() =>
  matching<ClientOptions>()(
    strictObject({
      environment: z.optional(
        z.literal(['production', 'sandbox'], { error: "must be 'production' or 'sandbox'" }),
      ),
      baseUrls: z.optional(baseUrls()),
      baseUrl: z.optional(anyText()),
      accessToken: z.optional(checkedElsewhere<AccessToken>()),
      timeout: z.optional(milliseconds()),
      deadline: z.optional(milliseconds()),
      retries: z.optional(retries()),
      responseValidation: z.optional(oneFrom(['tolerant', 'strict', 'off'])),
      cursorParam: z.optional(text()),
      refusals: z.optional(refusals()),
      fetch: z.optional(functionOf<FetchLike>()),
      headers: z.optional(headers()),
      logger: z.optional(logger()),
      logLevel: z.optional(oneFrom(logLevels)),
      hooks: z.optional(z.union([hooks(), z.array(hooks())], { error: 'must be an object' })),
      dangerouslyAllowInsecureHttp: z.optional(flag()),
      dangerouslyAllowBrowser: z.optional(flag()),
    }),
  ),
);
