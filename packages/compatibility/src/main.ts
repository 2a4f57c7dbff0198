import { parseArgs } from 'node:util';
import { checkTree, projectRoot } from './check.ts';
import { writeSnapshot } from './snapshot/stored.ts';
import { takeSnapshot } from './snapshot/take-snapshot.ts';

const usage = `Usage: npm run contracts -- check
       npm run contracts -- snapshot <version> [--from <checkout>]

check      compares what this tree agrees with others with the snapshot of the last release, prints a line for each
           thing that it does not keep, and ends with 1 where a line has no waiver in packages/compatibility/waivers.json;
           lines of "order" say which services go first in a roll, for the calls and fields that are new
snapshot   writes what this tree, or another checkout with its node_modules, agrees, as that of a release

CONTRIBUTING.md says what to do with a line ("Where the contract gate fails").
`;

const say = (text: string) => process.stdout.write(text);

async function check(): Promise<void> {
  const { version, open, expired, waived, idle, order } = await checkTree();
  for (const line of open) say(`broken   ${line}\n`);
  for (const line of expired) say(`expired  ${line}\n`);
  for (const line of waived) say(`waived   ${line}\n`);
  for (const line of idle) say(`idle     ${line}\n`);
  for (const [pair, calls] of order) say(`order    ${pair}: ${calls.join(', ')}\n`);
  const faults = open.length + expired.length;
  say(
    `${faults === 0 ? 'all kept' : `${faults} not kept`} of what ${version} agreed; ${waived.length} waived\n`,
  );
  if (faults > 0) process.exitCode = 1;
}

function fail(reason: string): void {
  process.stderr.write(`${reason}\n\n${usage}`);
  process.exitCode = 2;
}

async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { from: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  });
  const [command, version, ...more] = positionals;
  if (values.help) say(usage);
  else if (command === 'check' && version === undefined) await check();
  else if (command === 'snapshot' && version !== undefined && more.length === 0)
    say(`${writeSnapshot(version, await takeSnapshot(values.from ?? projectRoot))}\n`);
  else fail('Say check, or snapshot and a version.');
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
