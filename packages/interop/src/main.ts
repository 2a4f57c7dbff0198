import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readAll } from './read-all.ts';
import { readers } from './readers/readers.ts';
import { makeSamples } from './samples/make-samples.ts';
import { serveSamples } from './samples/serve-samples.ts';
import { toFigures, toLine, toMarkdown } from './table.ts';

const usage = `Usage: npm run interop [-- options]

Lets programs of other makers open, use and judge what we issue, and prints one line for each program:
passed, failed with each fault, or left out with the Debian package that is missing. Ends with 1 where a line failed.

Samples of two kinds:
  made     every kind of person, period, key, encoding and name, as generation makes them
  served   what partners and subscribers get from a running stack: files by webhook and by claim,
           authorities, CRLs and OCSP answers from the addresses in the certificates

Options:
  --made           the made samples alone, which start no stack
  --markdown       a table of Markdown in the end, instead of lines
  --write <file>   figures as JSON, from which packages/docs builds the page /docs/programs
  --keep           leave the samples where they are, and say where
  --help           this text
`;

interface Options {
  readonly made: boolean;
  readonly markdown: boolean;
  readonly keep: boolean;
  readonly write?: string | undefined;
}

const say = (text: string) => process.stdout.write(text);

async function run({ made, markdown, keep, write }: Options): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'rubrica-interop-'));
  try {
    const worlds = [await makeSamples(join(directory, 'made'))];
    if (!made) worlds.push(await serveSamples(join(directory, 'served')));
    const onRow = markdown ? undefined : (row: Parameters<typeof toLine>[0]) => say(`${toLine(row)}\n`);
    const rows = await readAll(readers, { worlds, ...(onRow && { onRow }) });
    if (markdown) say(toMarkdown(rows));
    if (write !== undefined) writeFileSync(write, `${JSON.stringify(toFigures(rows), null, 2)}\n`);
    if (rows.some(({ failed }) => failed.length > 0)) process.exitCode = 1;
  } finally {
    if (keep) say(`${directory}\n`);
    else rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Parses the options.
 * @returns the options, or the reason why they are invalid
 */
function readOptions(args: string[]): (Options & { readonly help: boolean }) | string {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      args,
      options: {
        made: flag,
        markdown: flag,
        keep: flag,
        write: { type: 'string' },
        help: { ...flag, short: 'h' },
      },
    }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') {
  process.stderr.write(`${options}\n\n${usage}`);
  process.exitCode = 2;
} else if (options.help) say(usage);
else await run(options);
