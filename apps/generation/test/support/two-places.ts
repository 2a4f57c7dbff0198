import { join } from 'node:path';
import { ca } from './ca.ts';

/** Settings of the two places of a ceremony, and the folder that is carried between them. */
export interface Places {
  readonly root: Readonly<Record<string, string>>;
  readonly service: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** The SHA-256 as an operator writes it down from what was said. */
export function digestIn(said: string): string {
  const digest = /SHA-256\s+((?:[0-9a-f]{4} ?){16})/.exec(said)?.[1];
  if (digest === undefined) throw new Error(said);
  return digest.trim();
}

/** A request of the service's place, with what is written on paper. */
export async function announce(
  service: Places['service'],
  folder: string,
  ...options: string[]
): Promise<{ code: number; said: string; digest: string }> {
  const made = await ca(service, 'request', folder, ...options);
  return { ...made, digest: made.code === 0 ? digestIn(made.said) : '' };
}

/** The first ceremony, from the making of the root to the answer that is installed. @returns the root's SHA-256 */
export async function holdCeremony({ root, service, folder }: Places): Promise<string> {
  const made = await must(ca(root, 'root', 'init', folder));
  const { digest } = await announce(service, folder);
  const request = join(folder, 'issuing-request.pem');
  await must(ca(root, 'root', 'sign', request, folder, '--sha256', digest));
  const rootDigest = digestIn(made);
  await must(ca(service, 'install', join(folder, 'issuing-answer.pem'), '--root', rootDigest));
  return rootDigest;
}

async function must(step: Promise<{ code: number; said: string }>): Promise<string> {
  const { code, said } = await step;
  if (code !== 0) throw new Error(said);
  return said;
}
