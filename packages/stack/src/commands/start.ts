import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildDocsSite } from '@rubrica/build';
import { homeAt } from '../setup/home.ts';
import { isBuiltElsewhere } from '../stack/options.ts';
import type { Stack } from '../stack/start-stack.ts';
import { type Output, seconds } from '../terminal/style.ts';
import { showAddresses } from './addresses.ts';
import type { Command, CommandContext } from './command.ts';
import { warnOfFileIsolation } from './file-isolation.ts';
import { stackArguments, startWithProgress } from './run-with-progress.ts';
import { packSdk } from './sdk-package.ts';
import { listenForStop, type StopRequests } from './signals.ts';

export const start: Command = {
  name: 'start',
  summary: 'bring everything up and keep it running',
  help: `npm start [-- --copies intake=2,generation=2,notifier=2] [--limits] [--tls]

Brings up PostgreSQL, nats-server, a mail catcher and all services on this
machine, prints where everything is and keeps it running until Ctrl-C.

  --copies <pairs>   more than one copy of a service
  --limits           production's rate limits, to rehearse a 429; otherwise there are none
  --tls              TLS to PostgreSQL and nats-server, as deployments have it

  PORT               base port (3000); ports that are taken give way to free ones
  RUBRICA_HOME       data folder (.rubrica in the project)
  NATS_URL           use this NATS server instead of starting one

Addresses and credentials are also in stack.json in the data folder.`,
  async run({ args, output }: CommandContext): Promise<number> {
    const options = stackArguments(args);
    const stopping = listenForStop();
    output.line(`\n  ${output.bold('Rubrica')}\n`);
    const stack = await Promise.race([startWithProgress(output, options), stopping.first]);
    // The kernel notifies children when this process ends, and the next start ends those that remain.
    if (stack === undefined) return interrupted;
    output.line(`\n  ${output.good('Ready')} ${output.dim(`in ${seconds(process.uptime() * 1_000)}`)}\n`);
    showAddresses(output, stack.info(), join(stack.home, 'stack.json'));
    await warnOfFileIsolation(output, stack.info());
    output.line(
      `\n  ${output.dim('See a webhook arrive, in another terminal: npm run listen -- --register')}`,
    );
    output.line(`  ${output.dim('Ctrl-C stops everything; data stay until "npm run reset".')}\n`);
    if (!isBuiltElsewhere(options)) void buildDocs(output);
    void packSdk(homeAt(stack.home).sdkPackage);
    await stopping.first;
    return stopOrderly(output, stack, stopping);
  },
};

/** Builds the documentation if its sources have changed. The gateway serves it as soon as it exists. */
async function buildDocs(output: Output): Promise<void> {
  try {
    await buildDocsSite({ inBackground: true });
  } catch (error) {
    output.line(`  The documentation at /docs could not be built: ${(error as Error).message}`);
  }
}

/** Exit code that a shell reports for a command ended by Ctrl-C. */
const interrupted = 130;

async function stopOrderly(output: Output, stack: Stack, stopping: StopRequests): Promise<number> {
  output.line(`\n  Stopping ${output.dim('(once more to stop at once)')}`);
  const stopped = stack.stop().then(() => 0);
  const code = await Promise.race([stopped, stopping.second.then(() => interrupted)]);
  // These addresses do not answer from here on, even while some processes are still ending.
  rmSync(join(stack.home, 'stack.json'), { force: true });
  output.line(code === 0 ? `  ${output.good('✔')} Stopped\n` : '  Stopped without waiting\n');
  return code;
}
