import { describe, expect, it } from 'vitest';
import { openTelemetryHooks, openTelemetryMetrics } from '../../src/opentelemetry/index.ts';

describe('the options of the hooks', () => {
  it.each<[object, string]>([
    [{ propogate: true }, '`propogate` is not an option. Did you mean `propagate`?'],
    [{ tracer: {} }, '`tracer` is not an option. Did you mean `tracerProvider`?'],
    [{ propagate: 'yes' }, '`propagate` must be true or false, but is a string.'],
    [{ tracerProvider: null }, '`tracerProvider` must be a provider with a method `getTracer`, but is null.'],
    [
      { tracerProvider: {} },
      '`tracerProvider` must be a provider with a method `getTracer`, but is an object.',
    ],
  ])('are checked: %j', (options, words) => {
    expect(() => openTelemetryHooks(options)).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', message: `openTelemetryHooks: ${words}` }),
    );
  });

  it.each<[object, string]>([
    [{ provider: {} }, '`provider` is not an option. Did you mean `meterProvider`?'],
    [{ meterProvider: {} }, '`meterProvider` must be a provider with a method `getMeter`, but is an object.'],
  ])('of metrics are checked, too: %j', (options, words) => {
    expect(() => openTelemetryMetrics(options)).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', message: `openTelemetryMetrics: ${words}` }),
    );
  });

  it.each([[null], [[]], ['global']])('must be an object: %j', (options) => {
    expect(() => openTelemetryHooks(options as object)).toThrow(
      'openTelemetryHooks needs an object with its options.',
    );
  });

  it('may be undefined, and gain nothing from a polluted prototype', () => {
    expect(() => openTelemetryHooks({ tracerProvider: undefined, propagate: undefined })).not.toThrow();
    expect(() => openTelemetryHooks(Object.create({ propogate: true }))).not.toThrow();
  });
});
