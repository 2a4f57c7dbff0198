import { analyse } from 'scslre';
import ts from 'typescript';
import type { Finding } from './finding.ts';
import { type SourceFile, workspaces } from './workspaces.ts';

/**
 * Finds regular expressions with quadratic or worse run time. Texts come from any caller, and one such expression
 * prevented the gateway from answering for minutes.
 */
export function regexFindings(): Finding[] {
  return workspaces.flatMap(({ folder, files }) =>
    files.filter(({ path }) => isServed(path)).flatMap((file) => superLinear(file, folder)),
  );
}

/**
 * Recognizes sources that run in services, pages and clients; others, and settings, only read the project's own texts.
 */
function isServed(path: string): boolean {
  return (
    path.includes('/src/') &&
    !path.includes('.test.') &&
    !path.endsWith('/config.ts') &&
    !/^packages\/(?:acceptance|build|compatibility|docs|interop|openapi|pack|stack|testkit)\//.test(path)
  );
}

function superLinear({ path, text }: SourceFile, workspace: string): Finding[] {
  return regexLiterals(path, text).flatMap((literal) => {
    const end = literal.lastIndexOf('/');
    const [source, flags] = [literal.slice(1, end), literal.slice(end + 1)];
    return analyse({ source, flags }).reports.map(({ type }) => ({
      rule: 'regular expression that is not linear',
      workspace,
      text: `${path}: ${literal} (${type})`,
    }));
  });
}

function regexLiterals(path: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}
