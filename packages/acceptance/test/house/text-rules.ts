import type { Finding } from './finding.ts';
import { isTest, workspaces } from './workspaces.ts';

/** Matches messages that are English sentences. */
const sentences = /\bpublicMessage\s*[:=]\s*['"`]|\binvalidField\(\s*[^,]+,\s*['"`]/g;

/** Finds texts for callers that are not created from templates, which have both languages. */
export function textFindings(): Finding[] {
  return workspaces.flatMap(({ folder, files }) =>
    files
      .filter(({ path }) => !isTest(path))
      .flatMap(({ path, text }) => [...text.matchAll(sentences)].map(([match]) => `${path}: ${match}`))
      .map((text) => ({ rule: 'text: create it from a template', workspace: folder, text })),
  );
}
