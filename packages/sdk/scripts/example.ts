import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Runs an example by its name, `example <name> [options]`: npm's scripts have the Node.js that this project needs. */
const [name = '', ...options] = process.argv.slice(2);
const file = join(import.meta.dirname, '..', 'examples', `${name.replace(/\.ts$/, '')}.ts`);
if (!existsSync(file)) throw new Error(`there is no example "${name}": examples/README.md lists them`);
// A relative path is one of the folder that the command was typed in.
const { status } = spawnSync(process.execPath, [file, ...options], {
  cwd: process.env.INIT_CWD,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
