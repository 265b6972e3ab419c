/**
 * Starts to measure. The function that it returns gives the milliseconds since then, by the clock that ran further: the
 * monotonic one stands still while a virtual machine is suspended, and the other one can be set back.
 */
export function stopwatch(): () => number {
  const [started, startedOn] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - started, Date.now() - startedOn);
}
