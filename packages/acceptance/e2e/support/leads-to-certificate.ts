import { expect } from 'vitest';
import type { Scene } from './scene.ts';

/**
 * Takes a request through every service to its certificate and webhook, and checks that none of them has logged an
 * error.
 */
export async function leadsToCertificate(
  scene: Pick<Scene, 'partners' | 'call' | 'assertUntroubled'>,
): Promise<void> {
  const { sandbox } = scene.partners;
  const { reference } = await sandbox.accepted();
  await sandbox.hears(reference, 'certificate.issued');
  const terms = await scene.call({
    path: '/gateway/collector/terms-and-conditions/by-type',
    query: { type: 'TRADITIONAL_SIGNATURE' },
  });
  expect(terms.status).toBe(200);
  await scene.assertUntroubled();
}
