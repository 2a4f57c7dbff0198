import { realpathSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.ts';
import { buildPages } from './pages.ts';
import { programs, type Service } from './programs.ts';

const usage = `node packages/build/src/main.ts --root <checkout> <service>=<folder>…

Builds each service from the sources in the checkout into its folder.
`;

const { values, positionals } = parseArgs({ options: { root: { type: 'string' } }, allowPositionals: true });
const wanted = positionals.map((pair) => pair.split('=', 2));
const { root } = values;
if (root === undefined || wanted.some(([service, into]) => !(service && service in programs && into))) {
  process.stderr.write(usage);
  process.exit(2);
}
// One after the other: side by side they take twice the processor time and memory.
for (const [service, into] of wanted) {
  const options = { service: service as Service, root: realpathSync(root), into: into as string };
  await bundle(options);
  await buildPages(options);
}
