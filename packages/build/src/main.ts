import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.ts';
import { buildPages } from './pages.ts';
import { programs, type Service } from './programs.ts';

const usage = `node packages/build/src/main.ts --root <checkout> <service>=<folder>… [docs=<folder>]

Builds each service from the sources in the checkout into its folder, and the documentation for the gateway.
`;

const { values, positionals } = parseArgs({ options: { root: { type: 'string' } }, allowPositionals: true });
const targets = positionals.map((pair) => pair.split('=', 2));
const isKnown = (name: string | undefined) => name === 'docs' || (name !== undefined && name in programs);
if (values.root === undefined || targets.some(([name, into]) => !(isKnown(name) && into))) {
  process.stderr.write(usage);
  process.exit(2);
}
const root = realpathSync(values.root);
// Built one after the other: parallel builds take twice the processor time and memory.
for (const [name, into = ''] of targets) {
  if (name === 'docs') {
    const { buildSite } = await import('@rubrica/docs/build-site');
    await buildSite({ into, version: readRelease(root) });
  } else {
    const options = { service: name as Service, root, into };
    await bundle(options);
    await buildPages(options);
  }
}

function readRelease(checkout: string): string {
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  return String(version);
}
