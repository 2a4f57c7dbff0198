import { readdir } from 'node:fs/promises';
import { sharedDirectory } from '@rubrica/testkit/postgres';
import { endLeftover } from '@rubrica/testkit/processes';
import { defaultHome, exists, type Home, homeAt } from '../setup/home.ts';
import { removeHome } from '../stack/data-home.ts';
import { endLeftovers, findSupervisor } from '../supervision/run-record.ts';
import { readArguments } from '../terminal/arguments.ts';
import type { Command, CommandContext } from './command.ts';

export const reset: Command = {
  name: 'reset',
  summary: 'stop the stack and remove all its data',
  help: `npm run reset

Stops the stack of the data folder (RUBRICA_HOME, else .rubrica) if it runs and
removes all its data, secrets included: the next start begins from nothing.
As root it also removes what lies under ${sharedDirectory}.`,
  async run({ args, env, output }: CommandContext): Promise<number> {
    readArguments(args, {});
    const home = homeAt(defaultHome(env));
    if (!(await exists(home.directory))) {
      output.line(`  Nothing to remove: ${home.directory} does not exist.`);
      return 0;
    }
    await refuseForeignFolder(home);
    const supervisor = await findSupervisor(home);
    if (supervisor !== undefined) {
      output.line(`  Stopping the running stack (process ${supervisor.pid})`);
      await endLeftover(supervisor, { signal: 'SIGTERM', deadlineMs: 40_000 });
    }
    await endLeftovers(home);
    await removeHome(home);
    output.line(`  ${output.good('✔')} Removed ${home.directory}`);
    return 0;
  },
};

/** Throws if the folder contains other files: RUBRICA_HOME=~ by mistake must not delete a person's files. */
async function refuseForeignFolder(home: Home): Promise<void> {
  const own = new Set(
    Object.values(home).map((path: string) => path.slice(home.directory.length + 1).split('/')[0]),
  );
  // Made by the demo, which writes into the current folder.
  own.add('demo');
  const foreign = (await readdir(home.directory)).filter((name) => !own.has(name));
  if (foreign.length === 0) return;
  throw new Error(
    `${home.directory} holds files that are not the stack's (${foreign.slice(0, 3).join(', ')}), so nothing was removed.`,
  );
}
