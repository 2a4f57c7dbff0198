import type { Finding } from './finding.ts';
import { repositoryFiles } from './workspaces.ts';

/** Files at the top of the repository, which is read first: exactly those that tools and newcomers expect there. */
const allowed = new Set([
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'LICENSE',
  'package.json',
  'package-lock.json',
  'turbo.json',
  'tsconfig.base.json',
  'biome.json',
  'vitest.shared.ts',
  'apps',
  'packages',
  'deploy',
]);

export function topLevelFindings(): Finding[] {
  const entries = new Set(repositoryFiles.map((path) => path.split('/')[0] ?? path));
  return [...entries]
    .filter((entry) => !entry.startsWith('.') && !allowed.has(entry))
    .map((entry) => ({ rule: 'top level', workspace: '.', text: entry }));
}
