import { expect, it } from 'vitest';
import { TimeLimits } from '../../src/transport/attempt/time-limits.ts';
import { limitCalls } from '../../src/transport/call/admission.ts';
import { CallState } from '../../src/transport/call/call-state.ts';
import { Watchers } from '../../src/transport/hooks/watchers.ts';
import { preparedCall } from './support.ts';

const partsOf = (signal?: AbortSignal) => {
  const call = preparedCall({ signal });
  const state = new CallState(call, new Watchers([]));
  const wire = () => Promise.reject(new Error('nothing is sent here'));
  return {
    call,
    wire,
    limits: new TimeLimits(signal, undefined),
    state,
  };
};

it('passes a place on that a call gets in the moment of its abort', async () => {
  const admit = limitCalls(1);
  const leave = await admit(partsOf());
  const controller = new AbortController();
  const aborted = admit(partsOf(controller.signal));
  const last = admit(partsOf());
  leave();
  controller.abort();
  await expect(aborted).rejects.toMatchObject({ code: 'aborted', outcome: 'not-sent' });
  const leaveLast = await last;
  leaveLast();
  await expect(admit(partsOf())).resolves.toBeTypeOf('function');
});
