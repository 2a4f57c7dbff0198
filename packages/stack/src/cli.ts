import { enableCompileCache } from 'node:module';
import { defaultHome, homeAt } from './setup/home.ts';

const [name = 'help', ...args] = process.argv.slice(2);
// Compiling this program takes a considerable part of a warm start. A reset must not write into the folder that it
// removes.
if (name !== 'reset') enableCompileCache(homeAt(defaultHome(process.env)).compileCache);

const { runCli } = await import('./commands/run-cli.ts');
process.exit(await runCli(name, args));
