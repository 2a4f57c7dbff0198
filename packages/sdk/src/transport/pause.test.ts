import { expect, it } from 'vitest';
import { pause } from './pause.ts';

it('ends by itself', async () => {
  await expect(pause(1, new AbortController().signal)).resolves.toBeUndefined();
});

it('ends at once, with the reason, when its signal does', async () => {
  const stop = new AbortController();
  const pausing = expect(pause(3_600_000, stop.signal)).rejects.toThrow('enough');
  stop.abort(new Error('enough'));
  await pausing;
  await expect(pause(3_600_000, stop.signal)).rejects.toThrow('enough');
});
