import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { z } from 'zod';

const squawk = createRequire(import.meta.url).resolve('squawk-cli/js/bin/squawk');

/** What breaks the release before, which runs on the new schema, or locks a table that it uses. */
const rules: ReadonlySet<string> = new Set([
  'adding-field-with-default',
  'adding-foreign-key-constraint',
  'adding-not-nullable-field',
  'adding-required-field',
  'adding-serial-primary-key-field',
  'ban-alter-domain-with-add-constraint',
  'ban-drop-column',
  'ban-drop-database',
  'ban-drop-table',
  'ban-truncate-cascade',
  'changing-column-type',
  'constraint-missing-not-valid',
  'disallowed-unique-constraint',
  'renaming-column',
  'renaming-table',
  'require-concurrent-index-creation',
  'require-concurrent-index-deletion',
  'syntax-error',
]);

const findingsSchema = z.array(z.object({ file: z.string(), line: z.int(), rule_name: z.string() }));

/**
 * Statements of migrations that do not expand alone, as `file:line rule`. One that may stay, as a column that no release
 * in use knows any more, has the comment `-- squawk-ignore <rule>` above it, with the reason.
 */
export async function unsafeStatements(files: readonly string[]): Promise<string[]> {
  if (files.length === 0) return [];
  const said = await run(['--reporter', 'json', '--pg-version', '18', '--assume-in-transaction', ...files]);
  const findings = findingsSchema.parse(JSON.parse(said));
  const unsafe = findings
    .filter(({ rule_name }) => rules.has(rule_name))
    .map(({ file, line, rule_name }) => `${basename(file)}:${line} ${rule_name}`);
  return [...new Set(unsafe)];
}

/** It ends with 1 where it finds something: what it says is what counts. */
function run(options: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [squawk, ...options], (error, stdout) => {
      if (stdout === '') reject(error ?? new Error('squawk said nothing'));
      else resolve(stdout);
    });
  });
}
