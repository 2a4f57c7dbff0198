import type { Finding } from './finding.ts';
import { repositoryFiles } from './workspaces.ts';

/** The top of the repository is read first: it holds what tools and newcomers look for there, and nothing else. */
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
