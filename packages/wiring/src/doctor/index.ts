import { parseArgs } from 'node:util';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { ConfigError, describeUnknownSettings, type keySettings } from '@rubrica/process/config';
import { compareKeyFiles } from '@rubrica/process/keyring';
import type { z } from 'zod';
import { assertNone, type Check, type CheckGroup } from './check.ts';
import { examine, line } from './examine.ts';

export { callsChecks, streamsChecks } from './bus-checks.ts';
export type { Check, CheckGroup } from './check.ts';
export { assertClock } from './clock.ts';

interface Doctor<Config> {
  readonly service: ServiceName;
  /** Settings of the running service, as for `runService`. */
  readonly settings: z.ZodObject;
  readonly config: () => Config;
  readonly groups: (config: Config) => readonly CheckGroup[];
}

function help(service: ServiceName): string {
  return `node main.mjs doctor (in a checkout: npm run doctor -w apps/${service})

Reads the settings of the running ${service} from the environment, and looks whether it can work with them.
Changes nothing. A line for each check: ok, fault and what to do, or - where a fault before it hides it.
Ends with 0 when all is well, and with 1 where there is a fault.`;
}

/** Checks everything that a service depends on and writes a line for each check. Exits with 1 if there is a fault. */
export async function runDoctor<Config extends { keys: z.output<typeof keySettings> }>(
  args: readonly string[],
  doctor: Doctor<Config>,
): Promise<never> {
  const out = (text: string) => process.stdout.write(`${text}\n`);
  const { values } = parseArgs({ args: [...args], options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    out(help(doctor.service));
    return process.exit(0);
  }
  const config = readSettings(doctor, out);
  if (config === undefined) return process.exit(1);
  const unknown = describeUnknownSettings(doctor.settings, Object.keys(process.env));
  for (const fault of unknown) out(line('fault', 'settings', `${fault} Correct the name, or take it out.`));
  if (unknown.length === 0) out(line('ok', 'settings', 'all can be used'));
  const groups = [...doctor.groups(config), [keysCheck(doctor.service, config.keys)]];
  const isWell = (await examine(groups, out)) && unknown.length === 0;
  // Explicitly: a connection that is still being tried would keep the process running.
  return process.exit(isWell ? 0 : 1);
}

function readSettings<Config>({ config }: Doctor<Config>, out: (line: string) => void): Config | undefined {
  try {
    return config();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const fault of error.faults) out(line('fault', 'settings', fault));
    out('Nothing else was looked at: set these first. deploy/.env.example has all settings.');
    return undefined;
  }
}

function keysCheck(service: ServiceName, keys: z.output<typeof keySettings>): Check {
  return {
    name: 'keys',
    async look() {
      assertNone(await compareKeyFiles(keys, service));
      return 'files can be read, and the private keys fit the public ones';
    },
    remedy: 'KEYS_FILE and PEERS_FILE must be of one set: mount both anew, from where `secrets` made them.',
  };
}
