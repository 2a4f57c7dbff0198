import { readJson } from '../setup/files.ts';
import { defaultHome, homeAt } from '../setup/home.ts';
import { serviceNames } from '../setup/services.ts';
import { answersOk } from '../stack/readiness.ts';
import type { StackInfo } from '../stack/stack-info.ts';
import { findSupervisor } from '../supervision/run-record.ts';
import { readArguments } from '../terminal/arguments.ts';
import { showAddresses } from './addresses.ts';
import type { Command, CommandContext } from './command.ts';
import { warnOfFileIsolation } from './file-isolation.ts';

export const status: Command = {
  name: 'status',
  summary: 'say whether the stack is running, and where',
  help: `npm run status

Says whether a stack runs in the data folder (RUBRICA_HOME, else .rubrica),
where it is and whether its services answer. Exits with 1 when it does not run.`,
  async run({ args, env, output }: CommandContext): Promise<number> {
    readArguments(args, {});
    const home = homeAt(defaultHome(env));
    const supervisor = await findSupervisor(home);
    if (supervisor === undefined) {
      output.line(`  Not running in ${home.directory}. "npm start" brings it up.`);
      return 1;
    }
    const info = await readJson<StackInfo>(home.infoFile);
    if (info === undefined) {
      output.line(`  Starting (process ${supervisor.pid}) in ${home.directory}.`);
      return 0;
    }
    showAddresses(output, info, home.infoFile);
    await warnOfFileIsolation(output, info);
    output.line(`\n  ${output.bold('Services')}`);
    for (const name of serviceNames) {
      const ready = await answersOk(info.metrics[name].replace(/metrics$/, 'readyz'));
      const state = ready ? output.good('ready') : output.bad('not ready');
      output.line(
        `  ${name.padEnd(12)} ${state}  ${output.dim(`process ${info.services[name].pids.join(', ')}`)}`,
      );
    }
    return 0;
  },
};
