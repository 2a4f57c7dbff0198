import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readAll } from './read-all.ts';
import { readers } from './readers/readers.ts';
import { toFigures, toLine, toMarkdown } from './table.ts';

const { values } = parseArgs({
  options: {
    markdown: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    /** The file that the page `/docs/programs` is written from. */
    write: { type: 'string' },
  },
});
const directory = mkdtempSync(join(tmpdir(), 'rubrica-interop-'));
const rows = await readAll(readers, {
  directory,
  onRow: (row) => process.stdout.write(values.markdown ? '' : `${toLine(row)}\n`),
});
if (values.markdown) process.stdout.write(toMarkdown(rows));
if (values.write !== undefined) writeFileSync(values.write, `${JSON.stringify(toFigures(rows), null, 2)}\n`);
if (values.keep) process.stdout.write(`${directory}\n`);
else rmSync(directory, { recursive: true, force: true });
process.exitCode = rows.some(({ failed }) => failed.length > 0) ? 1 : 0;
