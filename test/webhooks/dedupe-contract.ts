import type { DedupeStore } from 'stablecoin-payments/webhooks';
import { expect, it } from 'vitest';

/** What every store must do, whatever it is made of. */
export function holdsToContract(make: () => DedupeStore): void {
  it('lets one delivery claim an event, and the next only after a release', async () => {
    const store = make();
    expect(await store.claim('e1', 'a')).toBe('claimed');
    expect(await store.claim('e1', 'b')).toBe('in-progress');
    expect(await store.claim('e2', 'b')).toBe('claimed');
    await store.release('e1', 'a');
    expect(await store.claim('e1', 'b')).toBe('claimed');
  });

  it('remembers what was committed, also against a late release', async () => {
    const store = make();
    await store.claim('e1', 'a');
    await store.commit('e1', 'a');
    await store.release('e1', 'a');
    expect(await store.claim('e1', 'b')).toBe('committed');
  });

  it('does not let one delivery release the claim of another', async () => {
    const store = make();
    await store.claim('e1', 'a');
    await store.release('e1', 'b');
    await store.release('unknown', 'b');
    expect(await store.claim('e1', 'c')).toBe('in-progress');
  });

  it('does not let a delivery commit an event that another has claimed or handled since', async () => {
    const store = make();
    await store.claim('e1', 'slow');
    await store.release('e1', 'slow');
    await store.claim('e1', 'b');
    await expect(store.commit('e1', 'slow')).rejects.toThrow(/claimTtl/);
    expect(await store.claim('e1', 'c')).toBe('in-progress');
    await store.commit('e1', 'b');
    await expect(store.commit('e1', 'slow')).rejects.toThrow(/claimTtl/);
    expect(await store.claim('e1', 'c')).toBe('committed');
  });

  it('renews the claim of the same owner, and says committed to it afterwards', async () => {
    const store = make();
    expect(store.claimTtl).toBe(300_000);
    await store.claim('e1', 'a');
    expect(await store.claim('e1', 'a')).toBe('claimed');
    expect(await store.claim('e1', 'b')).toBe('in-progress');
    await store.commit('e1', 'a');
    expect(await store.claim('e1', 'a')).toBe('committed');
  });

  it('lets one of many simultaneous claims in a process win', async () => {
    const store = make();
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.claim('e1', `owner ${index}`)),
    );
    expect(claims.filter((claim) => claim === 'claimed')).toHaveLength(1);
  });
}
