import { fileTexts } from '@rubrica/contracts/error-texts/files';
import { forbiddenTexts } from '../pdf/forbidden.ts';
import type { Verdict } from '../verdict.ts';

/** Facts that a checker fills in. A text with another one is not a checker's. */
const factPatterns: Readonly<Record<string, string>> = {
  count: String.raw`\d{1,12}(?:\.\d{1,12})?`,
  size: String.raw`\d{1,10} x \d{1,10}`,
  format: 'JPEG|PNG',
};

const ownTexts: readonly RegExp[] = Object.keys(fileTexts).flatMap((text) => {
  // Names of facts are at the odd places.
  const parts = text.split(/\{(\w+)\}/);
  const patterns = parts.map((part, index) => (index % 2 === 0 ? escapeLiteral(part) : factPatterns[part]));
  if (patterns.includes(undefined)) return [];
  return [new RegExp(`^${patterns.map((one, index) => (index % 2 === 0 ? one : `(?:${one})`)).join('')}$`)];
});

function escapeLiteral(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/**
 * Tells whether a verdict speaks in texts of ours. It goes to partners and reviewers, and a checker that was broken into would write
 * what it likes: all that it may choose is one of these, and numbers.
 */
export function speaksOwnTexts(verdict: Verdict): boolean {
  if (verdict.kind === 'ok') return true;
  const { says } = verdict;
  return forbiddenTexts.has(says) || ownTexts.some((pattern) => pattern.test(says));
}
