import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Takes the development dependencies out of every package.json of a pruned repository. `npm ci` would otherwise
// insist on those that are workspaces, which `turbo prune --production` has left out.
const [root = '.'] = process.argv.slice(2);
// A package that stands on no app is pruned to packages alone.
const groups = ['apps', 'packages'].filter((group) => existsSync(join(root, group)));
const folders = groups.flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name)));

for (const folder of ['.', ...folders]) {
  const file = join(root, folder, 'package.json');
  const { devDependencies: _, ...kept } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
}
