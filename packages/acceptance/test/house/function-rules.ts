import type { Finding } from './finding.ts';
import { isTest, type SourceFile, workspaces } from './workspaces.ts';

/** Matches the first line of a top-level constant; its last line is the first that ends with `;` without an indent. */
const start = /^(?:export )?const (?<name>[\w$]+)[^=\n]*(?<rest>=.*)$/;
/**
 * Matches `= (a) => …`, `= async <T>(a) => …`, and the same after a line break; a call such as `= createX(…)` does not
 * match.
 */
const arrow = /^=\s*(?:async\s*)?(?:<[^(]*>)?\((?:[^()]|\([^()]*\))*\)(?:: [^=]+(?:=>[^=]+)*)?\s*=>/;

function arrowConstantsIn({ path, text }: SourceFile): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const { name, rest } = start.exec(line)?.groups ?? {};
    if (name === undefined || line.endsWith(';')) return [];
    const length = lines.slice(index + 1).findIndex((next) => next.endsWith(';') && !next.startsWith('   '));
    const statement = [rest, ...lines.slice(index + 1, index + 2 + length)].join('\n');
    return arrow.test(statement) ? [`${path}: ${name}`] : [];
  });
}

/**
 * Finds functions of more than one line that are constants: they must be declarations; constants are for values and for
 * functions that other functions create.
 */
export function functionFindings(): Finding[] {
  return workspaces.flatMap(({ folder, files }) =>
    files
      .filter(({ path }) => !isTest(path))
      .flatMap(arrowConstantsIn)
      .map((text) => ({ rule: 'arrow constant', workspace: folder, text })),
  );
}
