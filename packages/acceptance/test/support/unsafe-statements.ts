import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { z } from 'zod';

const squawk = createRequire(import.meta.url).resolve('squawk-cli/js/bin/squawk');

/**
 * Rules against changes that break the previous release, which runs on the new schema, or lock a table that it uses.
 */
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
 * Lists statements of migrations that do more than expand, as `file:line rule`. One that may stay, such as removing a
 * column that no release in use reads, has the comment `-- squawk-ignore <rule>` above it, with the reason.
 */
export async function unsafeStatements(files: readonly string[]): Promise<string[]> {
  if (files.length === 0) return [];
  const output = await run(['--reporter', 'json', '--pg-version', '18', '--assume-in-transaction', ...files]);
  const findings = findingsSchema.parse(JSON.parse(output));
  const unsafe = findings
    .filter(({ rule_name }) => rules.has(rule_name))
    .map(({ file, line, rule_name }) => `${basename(file)}:${line} ${rule_name}`);
  return [...new Set(unsafe)];
}

/** Runs squawk. Its exit code is 1 if it has findings; only its output counts. */
function run(options: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [squawk, ...options], (error, stdout) => {
      if (stdout === '') reject(error ?? new Error('squawk said nothing'));
      else resolve(stdout);
    });
  });
}
