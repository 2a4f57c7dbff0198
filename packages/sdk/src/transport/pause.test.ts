import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { expect, it } from 'vitest';
import { pause } from './pause.ts';

it('ends by itself', async () => {
  await expect(pause(1, new AbortController().signal)).resolves.toBeUndefined();
});

it('ends at once, with the reason, when its signal does', async () => {
  const stop = new AbortController();
  const pausing = expect(pause(HOUR_MS, stop.signal)).rejects.toThrow('enough');
  stop.abort(new Error('enough'));
  await pausing;
  await expect(pause(HOUR_MS, stop.signal)).rejects.toThrow('enough');
});
