import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Writes a package.json and a lock file that name turbo alone, as the repository's lock file has it, into the folder:
// `npm ci` then installs that version and holds it against its checksum, without all that the repository needs besides.
const [root = '.', into = 'turbo'] = process.argv.slice(2);
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const turbo = packages['node_modules/turbo'];
const own = { name: 'turbo-alone', private: true, dependencies: { turbo: turbo.version } };
const wanted = ['turbo', ...Object.keys(turbo.optionalDependencies)].map((name) => `node_modules/${name}`);
const locked = wanted
  .filter((path) => path in packages)
  .map((path) => {
    const { dev: _, ...kept } = packages[path];
    return [path, kept];
  });

mkdirSync(into, { recursive: true });
writeFileSync(join(into, 'package.json'), JSON.stringify(own));
writeFileSync(
  join(into, 'package-lock.json'),
  JSON.stringify({ ...own, lockfileVersion: 3, packages: { '': own, ...Object.fromEntries(locked) } }),
);
