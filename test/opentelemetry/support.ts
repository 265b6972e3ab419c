import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type ContextManager,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type TextMapPropagator,
  type TextMapSetter,
  trace,
} from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** As much of a context manager as following a context through promises takes. */
export class PromiseContextManager implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with<Arguments extends unknown[], Run extends (...args: Arguments) => ReturnType<Run>>(
    context: Context,
    run: Run,
    thisArgument?: ThisParameterType<Run>,
    ...args: Arguments
  ): ReturnType<Run> {
    return this.#storage.run(context, () => run.apply(thisArgument, args));
  }

  bind<T>(_context: Context, target: T): T {
    return target;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.#storage.disable();
    return this;
  }
}

/** Writes a trace's context as the W3C header. */
export class TraceparentPropagator implements TextMapPropagator {
  inject(active: Context, carrier: unknown, setter: TextMapSetter = defaultTextMapSetter): void {
    const span = trace.getSpanContext(active);
    if (span !== undefined) setter.set(carrier, 'traceparent', `00-${span.traceId}-${span.spanId}-01`);
  }

  extract(active: Context): Context {
    return active;
  }

  fields(): string[] {
    return ['traceparent'];
  }
}

/** Counts spans that were started and not ended. */
class OpenSpans implements SpanProcessor {
  count = 0;

  onStart(): void {
    this.count += 1;
  }

  onEnd(): void {
    this.count -= 1;
  }

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}
}

/** A provider that keeps what it is given. */
export function tracing(): {
  provider: BasicTracerProvider;
  finished: () => ReadableSpan[];
  openCount: () => number;
  reset: () => void;
} {
  const exporter = new InMemorySpanExporter();
  const open = new OpenSpans();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter), open] });
  return {
    provider,
    finished: () => exporter.getFinishedSpans(),
    openCount: () => open.count,
    reset: () => exporter.reset(),
  };
}
