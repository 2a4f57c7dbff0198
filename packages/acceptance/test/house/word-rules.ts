import type { Finding } from './finding.ts';
import { type SourceFile, workspaces } from './workspaces.ts';

interface Word {
  readonly say: string;
  readonly not: RegExp;
}

/** One word for one thing: forbidden words in names, comments and texts of the code, and their replacements. */
const words: readonly Word[] = [
  { say: 'sideEffects, or "also"', not: /\bbesides\b|\bbeside\s*[:(?=]/g },
  { say: 'dead letter', not: /\b(?:un)?bur(?:y|ied|ies|ial)\w*/gi },
  { say: 'pageContext', not: /\bAround\b|\baround\s*[:(?]|\baround\.\w|\w+Around\b|\baroundOf\b/g },
  { say: 'a name for what is read', not: /\bsaidOf\w*/g },
  { say: 'attachment (regular family) or evidence', not: /\bpapers?\b|\w*Papers?\b|\bpapers?[A-Z]\w*/g },
  { say: 'a name for who answers', not: /\bus\(\)/g },
  { say: 'rejection', not: /\bno: No\b|:\s*No\b|\btype No\b/g },
  {
    say: 'lease',
    not: /\bclaims?On\b|\b[cC]laim(?:Batch|Columns|Loop|Issuance|Properties)\w*|\btak(?:e|es|ing) up\b|\btakeUp\w*/g,
  },
  { say: 'applicant, or subscriber once there is a certificate', not: /\b\w*[hH]olders?(?![a-z])\w*/g },
  { say: 'operator, reviewer, administrator, partner: who it is', not: /\b[sS]omebody(?!@)\w*/g },
  {
    say: 'plain English',
    not: /\b(?:lest|whence|hence|thereof|whereupon|nought|upon|for ever|save (?:that|for|where))\b/gi,
  },
  { say: 'lockName, or another lock of packages/database/src/lock', not: /\bpg_\w*advisory\w*/g },
];

const placeholders = /placeholders?/gi;

/** Matches files about printed or handwritten text of a ceremony, which is paper. */
const onPaper = /^apps\/generation\/(?:src\/ca|test)\//;

/**
 * Matches code that uses the locks of the previous release or leaves its roles the right to them, and tests that act as
 * that release or as an attacker.
 */
const onAdvisoryLocks =
  /^packages\/database\/src\/lock\/previous-release\.ts$|^packages\/testkit\/src\/servers\/postgres\/roles\.ts$|\/(?:test|e2e)\//;

/** Values in the database that operators have seen since the first release: the acting person, and a sent reminder. */
const storedValues = /'(?:holder|remindHolder)'/g;

/** Settings of a partner in the interface's names, and their columns. */
const settings = /\bholder(?:_r|R)(?:eminders|enewal)\b/g;

function findWords(file: SourceFile, workspace: string): Finding[] {
  const text = file.text.replaceAll(placeholders, '').replaceAll(storedValues, '').replaceAll(settings, '');
  return words.flatMap(({ say, not }) => {
    if (say.startsWith('attachment') && onPaper.test(file.path)) return [];
    if (say.startsWith('lockName') && onAdvisoryLocks.test(file.path)) return [];
    const found = new Set([...text.matchAll(not)].map(([match]) => match.trim()));
    return [...found].map((match) => ({
      rule: `word: say ${say}`,
      workspace,
      text: `${file.path}: ${match}`,
    }));
  });
}

export function wordFindings(): Finding[] {
  const others = workspaces.map(({ folder, files }) => ({
    folder,
    files: files.filter(({ path }) => !path.startsWith('packages/acceptance/test/house/')),
  }));
  return others.flatMap(({ folder, files }) => files.flatMap((file) => findWords(file, folder)));
}
