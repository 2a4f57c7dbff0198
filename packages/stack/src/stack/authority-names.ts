import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson } from '../setup/files.ts';

/** Names under which generation publishes its certificates. */
export interface AuthorityNames {
  readonly root: string;
  readonly issuing: string;
}

interface Authority {
  readonly name: string;
  readonly kind: 'root' | 'issuing';
  /** Time from which it signs new certificates. */
  readonly activeFrom?: string | null;
}

/** Reads the newest of the files that generation leaves in CA_DIRECTORY, one per change. */
export async function readAuthorityNames(directory: string): Promise<AuthorityNames> {
  const files = await readdir(directory).catch(() => []);
  const newest = Math.max(...files.map((name) => Number(/^authorities-(\d+)\.json$/.exec(name)?.[1] ?? 1)));
  const name = newest > 1 ? `authorities-${newest}.json` : 'authorities.json';
  const file = await readJson<{ authorities?: Authority[] }>(join(directory, name));
  const now = new Date().toISOString();
  const active = (file?.authorities ?? [])
    .filter(({ kind, activeFrom }) => kind === 'issuing' && (activeFrom ?? '') <= now)
    .sort((a, b) => (b.activeFrom ?? '').localeCompare(a.activeFrom ?? ''));
  const root = file?.authorities?.find(({ kind }) => kind === 'root');
  return { root: root?.name ?? 'root', issuing: active[0]?.name ?? 'issuing' };
}
