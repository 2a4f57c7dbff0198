import type { Finding } from './finding.ts';
import { isTest, type SourceFile, workspaces } from './workspaces.ts';

/** The first line of a top-level constant; its last line is the first one that ends with `;` without an indent. */
const start = /^(?:export )?const (?<name>[\w$]+)[^=\n]*(?<rest>=.*)$/;
/** `= (a) => …`, `= async <T>(a) => …`, and the same after a line break; a call such as `= createX(…)` is none. */
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

/** A function of more than one line is a declaration; constants are for values and for functions that others make. */
export function functionFindings(): Finding[] {
  return workspaces.flatMap(({ folder, files }) =>
    files
      .filter(({ path }) => !isTest(path))
      .flatMap(arrowConstantsIn)
      .map((text) => ({ rule: 'arrow constant', workspace: folder, text })),
  );
}
